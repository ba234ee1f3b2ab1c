import { expect, test } from './support/window';

test('language and theme switch in place and are kept', async ({ w }) => {
  await w.open();
  await w.demo();
  const html = w.page.locator('html');
  await expect(html).toHaveAttribute('data-theme', 'light');
  await expect(html).toHaveAttribute('lang', 'en');
  await w.get('theme').click();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await w.get('language').click();
  await expect(html).toHaveAttribute('lang', /^zh/);
  await expect(w.get('timeline')).toContainText('时间线');
  await w.page.reload();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await expect(w.get('timeline')).toContainText('时间线');
});

for (const [locale, scheme, word] of [['zh-CN', 'dark', '时间线'], ['de-DE', 'light', 'Timeline']] as const) {
  test(`the system says ${locale} and ${scheme}: so does the window`, async ({ browser, folder }) => {
    const { Window } = await import('./support/window');
    const page = await browser.newPage({ locale, colorScheme: scheme });
    const w = new Window(page, folder);
    await w.open();
    await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
    await expect(w.get('timeline')).toContainText(word);
    await page.close();
    await w.close();
    expect(w.faults).toEqual([]);
  });
}

for (const [width, height] of [[1024, 640], [1440, 900], [2560, 1440]]) {
  test(`nothing lies outside a window of ${width}×${height}`, async ({ w }) => {
    await w.page.setViewportSize({ width, height });
    await w.open();
    await w.demo();
    for (const lang of ['en', 'zh']) {
      await expect(w.page.locator('html')).toHaveAttribute('lang', new RegExp(`^${lang}`));
      const over = () => w.page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]);
      await expect.poll(over, { message: lang }).toEqual([0, 0]);
      const outside = () => w.page.evaluate(() => [...document.querySelectorAll('button, h2')].filter((e) => {
        const r = e.getBoundingClientRect();
        return r.width > 0 && !e.closest('.rows, .body, .drawer-body') && (r.left < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1);
      }).map((e) => e.outerHTML.slice(0, 120)));
      await expect.poll(outside, { message: lang }).toEqual([]);
      await w.get('language').click();
    }
  });
}
