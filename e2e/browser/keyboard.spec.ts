import { expect, test, type Window } from './support/window';

/** Which element has the focus, by a number that each gets when it is met first, and where it stands. */
async function focused(w: Window): Promise<{ key: number; region: string }> {
  return w.page.evaluate(() => {
    const e = document.activeElement ?? document.body;
    const store = window as unknown as { met?: WeakMap<Element, number>; count?: number };
    store.met ??= new WeakMap();
    if (!store.met.has(e)) store.met.set(e, (store.count = (store.count ?? 0) + 1));
    return { key: store.met.get(e) ?? 0, region: e.closest('[data-region]')?.getAttribute('data-region') ?? '' };
  });
}

test('the demo is started, walked through and steered without a mouse', async ({ w }) => {
  await w.open();
  await expect(w.get('start-demo')).toBeFocused();
  await w.page.keyboard.press('Enter'); // the button of the first start has the focus
  await w.played();
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
  await expect(w.page.locator('main')).toHaveAttribute('data-drawer', 'open');
  await w.page.keyboard.press('F10');
  await expect(w.get('toast')).toContainText('pauses');
  await w.page.keyboard.press('c');
  await expect(w.get('composer')).toBeFocused();
  await w.page.keyboard.type('Look at the screen');
  await expect(w.get('send')).toBeEnabled();
  await w.page.keyboard.press('Enter');
  await expect(w.get('continue')).toBeVisible();
  await w.page.keyboard.press('F8');
  await w.idle();
  await expect.poll(() => w.rows()).toBeGreaterThan(rows);
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

  await w.palette('4');
  await w.page.keyboard.press('Enter');
  await expect(w.get('request-head').locator('.number')).toHaveText('#4');
  await w.palette('redlines');
  await w.page.keyboard.press('Enter');
  await expect(w.get('tab-redlines')).toHaveAttribute('aria-selected', 'true');
  await w.palette('');
  await w.page.keyboard.press('ArrowDown');
  await w.page.keyboard.press('ArrowUp');
  await expect(w.page.locator('#palette-0')).toHaveAttribute('aria-selected', 'true');
  await w.page.keyboard.press('Escape');
  await expect(w.get('palette')).toHaveCount(0);
});

test('a menu takes the focus, goes by arrows, and gives the focus back', async ({ w }) => {
  await w.open();
  await w.demo();
  for (const menu of ['session-menu', 'breakpoints', 'more', 'compare']) {
    await w.get(menu).focus();
    await w.page.keyboard.press('Enter');
    await expect(w.page.locator('.popover :focus')).toHaveCount(1);
    const first = (await focused(w)).key;
    if (menu !== 'compare') { // where a list to choose from comes first, which has the arrows for itself
      await w.page.keyboard.press('ArrowDown');
      await expect.poll(async () => (await focused(w)).key).not.toBe(first);
    }
    await w.page.keyboard.press('Escape');
    await expect(w.page.locator('.popover')).toHaveCount(0);
    await expect(w.get(menu)).toBeFocused();
  }
});

test('Tab goes through all regions in order and is caught nowhere', async ({ w }) => {
  await w.open();
  await w.demo();
  await w.get('session-menu').focus();
  await w.page.keyboard.press('Shift+Tab'); // out of the page, or to its end: what comes next is its start
  const regions: string[] = [];
  const seen = new Set<number>();
  let last = 0;
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
