import { expect, test, type Window } from './support/window';

/** Which element has the focus, told apart from all others. */
async function focused(w: Window): Promise<{ key: string; region: string }> {
  return w.page.evaluate(() => {
    const e = document.activeElement;
    if (!e || e === document.body) return { key: 'body', region: '' };
    const path: string[] = [];
    for (let at: Element | null = e; at && at !== document.body; at = at.parentElement) path.unshift(`${at.tagName}${[...(at.parentElement?.children ?? [])].indexOf(at)}`);
    return { key: path.join('/'), region: e.closest('[data-region]')?.getAttribute('data-region') ?? '' };
  });
}

test('the demo is started, walked through and steered without a mouse', async ({ w }) => {
  await w.open();
  await w.page.keyboard.press('Enter'); // the button of the first start has the focus
  await expect(w.get('composer')).toBeVisible();
  const rows = await w.rows();
  const head = w.get('request-head').locator('.number');
  await w.page.locator('body').press('g');
  await expect(head).toHaveText('#1');
  await w.page.keyboard.press('j');
  await expect(head).toHaveText('#2');
  await w.page.keyboard.press('k');
  await expect(head).toHaveText('#1');
  await w.page.keyboard.press('Shift+G');
  await expect(head).toHaveText(`#${rows}`);
  await w.page.keyboard.press('2');
  await expect(w.get('tab-raw')).toHaveAttribute('aria-selected', 'true');
  await w.page.keyboard.press('d');
  await expect(w.page.locator('main')).toHaveAttribute('data-drawer', 'closed');
  await w.page.keyboard.press('d');
  await w.page.keyboard.press('F10');
  await w.page.keyboard.press('c');
  await expect(w.get('composer')).toBeFocused();
  await w.page.keyboard.type('Look at the screen');
  await w.page.keyboard.press('Enter');
  await expect(w.get('continue')).toBeVisible();
  await w.page.keyboard.press('F8');
  await expect(w.get('composer')).toBeVisible();
  expect(await w.rows()).toBeGreaterThan(rows);
});

test('the palette and the sheet of keys open, act, close, and give the focus back', async ({ w }) => {
  await w.open();
  await w.demo();
  await w.page.locator('.rows').focus();
  await w.page.keyboard.press('?');
  await expect(w.get('help-sheet')).toBeVisible();
  for (let i = 0; i < 8; i++) {
    await w.page.keyboard.press('Tab');
    expect(await w.page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
  }
  await w.page.keyboard.press('Escape');
  await expect(w.get('help-sheet')).toHaveCount(0);
  await expect(w.page.locator('.rows')).toBeFocused();

  await w.page.keyboard.press('Control+k');
  await w.page.keyboard.type('4');
  await w.page.keyboard.press('Enter');
  await expect(w.get('request-head').locator('.number')).toHaveText('#4');
  await w.page.keyboard.press('Control+k');
  await w.page.keyboard.type('redlines');
  await w.page.keyboard.press('Enter');
  await expect(w.get('tab-redlines')).toHaveAttribute('aria-selected', 'true');
  await w.page.keyboard.press('Control+k');
  await w.page.keyboard.press('ArrowDown');
  await w.page.keyboard.press('ArrowUp');
  await expect(w.page.locator('#palette-0')).toHaveAttribute('aria-selected', 'true');
  await w.page.keyboard.press('Escape');
  await expect(w.get('palette')).toHaveCount(0);
});

test('Tab goes through all regions in order and is caught nowhere', async ({ w }) => {
  await w.open();
  await w.demo();
  await w.get('session-menu').focus();
  await w.page.keyboard.press('Shift+Tab'); // out of the page, or to its end: what comes next is its start
  const regions: string[] = [];
  const seen = new Set<string>();
  let last = '';
  for (let i = 0; i < 200; i++) {
    await w.page.keyboard.press('Tab');
    const at = await focused(w);
    expect(at.key, 'the focus moves on').not.toBe(last);
    last = at.key;
    if (seen.has(at.key)) break; // around once
    seen.add(at.key);
    if (at.region !== '' && regions.at(-1) !== at.region) regions.push(at.region);
  }
  const start = regions.indexOf('toolbar');
  const around = [...regions.slice(start), ...regions.slice(0, start)].filter((r, i, all) => r !== all[i - 1]);
  expect(around).toEqual(['toolbar', 'timeline', 'panes', 'drawer', 'status']);
  await w.page.keyboard.press('Shift+Tab');
  expect((await focused(w)).key).not.toBe(last);
});

test('F6 goes from region to region and shows where the focus is', async ({ w }) => {
  await w.open();
  await w.demo();
  await w.page.locator('.rows').focus();
  const visited: string[] = [];
  for (let i = 0; i < 6; i++) {
    await w.page.keyboard.press('F6');
    visited.push((await focused(w)).region);
    const ring = await w.page.evaluate(() => {
      const active = document.activeElement as HTMLElement;
      const e = document.getElementById(active.getAttribute('aria-activedescendant') ?? '') ?? active;
      const s = getComputedStyle(e);
      const within = e.closest('label, .filter, .composer');
      return s.outlineStyle !== 'none' || s.boxShadow !== 'none' || (within !== null && getComputedStyle(within).outlineStyle !== 'none');
    });
    expect(ring, `the focus is seen in ${visited.at(-1)}`).toBe(true);
  }
  expect(new Set(visited)).toEqual(new Set(['toolbar', 'timeline', 'panes', 'drawer', 'status']));
});
