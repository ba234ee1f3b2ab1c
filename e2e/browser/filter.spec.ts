import { expect, test, type Window } from './support/window';

interface Row {
  n: number;
  verdict: string;
  kind: string;
  status: string;
  tools: string[];
  bytes: number;
}

async function shown(w: Window): Promise<number[]> {
  await w.page.waitForTimeout(50); // one frame for the list to be drawn anew
  const texts = await w.page.locator('.tl-line .row .number').allInnerTexts();
  return texts.map((x) => Number.parseInt(x, 10));
}

async function timeline(w: Window): Promise<Row[]> {
  const session = (await w.call<{ current: string }>('Snapshot')).current;
  return (await w.call<{ rows: Row[] }>('Timeline', session)).rows;
}

test('the filter finds what its language says, and nothing else', async ({ w }) => {
  await w.open();
  await w.demo();
  const rows = await timeline(w);
  const filter = w.get('filter');
  const cases: [string, (r: Row) => boolean][] = [
    ['verdict:sealed', (r) => r.verdict === 'sealed'],
    ['tool:zimoos.act', (r) => r.tools.includes('zimoos.act')],
    ['kind:side', (r) => r.kind === 'side'],
    ['-kind:side tool:zimoos.act', (r) => r.kind !== 'side' && r.tools.includes('zimoos.act')],
    ['n:3..5', (r) => r.n >= 3 && r.n <= 5],
    ['bytes>12k', (r) => r.bytes > 12_000],
    ['tool:zimoos.search,files.read', (r) => r.tools.some((x) => x === 'zimoos.search' || x === 'files.read')],
  ];
  for (const [text, holds] of cases) {
    await filter.fill(text);
    const want = rows.filter(holds).map((r) => r.n);
    expect(want.length, text).toBeGreaterThan(0);
    await expect.poll(() => shown(w), { message: text }).toEqual(want);
  }
  await filter.fill('n:999');
  await expect(w.get('timeline')).toContainText('None of');
  await filter.press('Escape');
  await expect(filter).toHaveValue('');
});

test('completion writes the filter by keyboard, and a wrong term is told', async ({ w }) => {
  await w.open();
  await w.demo();
  await w.page.keyboard.press('/');
  const filter = w.get('filter');
  await expect(filter).toBeFocused();
  await filter.pressSequentially('ver');
  await expect(w.page.locator('#filter-offers [role=option]')).toHaveText(['verdict:']);
  await filter.press('Tab');
  await expect(filter).toHaveValue('verdict:');
  await filter.pressSequentially('sea');
  await filter.press('ArrowDown');
  await filter.press('Enter');
  await expect(filter).toHaveValue('verdict:sealed ');
  const rows = await timeline(w);
  await expect.poll(() => shown(w)).toEqual(rows.filter((r) => r.verdict === 'sealed').map((r) => r.n));
  await filter.fill('tokens>many');
  await filter.blur();
  await expect(w.page.locator('.filter .said')).toContainText('tokens>many');
});

test('a search goes through all sessions and opens what it found', async ({ w }) => {
  await w.open();
  await w.demo();
  const first = (await w.call<{ current: string }>('Snapshot')).current;
  const requests = await w.rows();
  await w.get('session-menu').click();
  await w.page.locator('.popover .menu-item').filter({ hasText: 'Start the demo session' }).click();
  const second = async () => {
    const { current } = await w.call<{ current: string }>('Snapshot');
    return current === '' || current === first ? 0 : (await timeline(w)).filter((r) => r.status === 'done').length;
  };
  await expect.poll(second, { message: 'the second demo is whole: a search is made once' }).toBe(requests);
  await w.played();
  await w.page.keyboard.press('Control+Shift+F');
  await expect(w.get('search')).toBeFocused();
  await w.get('search').fill('"Vegetable stock"');
  await expect(w.page.locator('.hits section')).toHaveCount(2);
  await expect(w.page.locator('.hit mark').first()).toHaveText('Vegetable stock');
  await w.get('search').fill('kind:main n:3');
  await expect(w.page.locator('.hit')).toHaveCount(2);
  await w.get('search').press('ArrowDown');
  await w.get('search').press('Enter');
  await expect(w.get('request-head').locator('.number')).toHaveText('#3');
});
