import { conversation, jsonl } from './support/files';
import { expect, test } from './support/window';

interface Diff {
  base: { session: string; n: number };
  next: { session: string; n: number };
  verdict: { verdict: string; path: string; bodyOffset: number };
}

test('any two requests are compared, by number', async ({ w }) => {
  await w.open();
  await w.demo();
  await w.select(9);
  await w.get('tab-diff').click();
  await expect(w.get('compare')).toContainText('#8');
  await w.get('compare').click();
  await w.get('compare-number').fill('3');
  await w.page.keyboard.press('Enter');
  await expect(w.get('compare')).toContainText('#3');
  await expect(w.row(3)).toHaveClass(/base/);
  await expect(w.get('ladder')).toBeVisible();
  await expect(w.get('hunks')).toContainText('Summary');
  await w.get('sentence').getByRole('tab', { name: 'As sent' }).click();
  await expect(w.get('around')).toBeVisible();
});

test('a rewritten history says where: part, path and offset', async ({ w, folder }) => {
  const bodies = conversation('notes', 6, (n, m) => {
    if (n === 5) m[3] = { ...m[3], content: 'another text' };
  });
  await w.open();
  await w.import(jsonl(folder, 'rewritten.jsonl', bodies));
  await expect(w.row(6)).toBeVisible();
  await w.select(5);
  await w.get('tab-diff').click();
  await expect(w.get('sentence')).toContainText('messages[3]');
  await expect(w.get('sentence')).toContainText('$.messages[3].content');
  await expect(w.get('hunks').locator('[data-sign="-"]').filter({ hasText: 'Note 1' })).toHaveCount(1);
  await expect(w.get('hunks').locator('[data-sign="+"]').filter({ hasText: 'another text' })).toHaveCount(1);
  const session = (await w.call<{ current: string }>('Snapshot')).current;
  const diff = await w.call<Diff>('Diff', { session, n: 4 }, { session, n: 5 });
  const before = JSON.stringify(bodies[3]);
  const after = JSON.stringify(bodies[4]);
  let at = 0;
  while (before[at] === after[at]) at++;
  expect(diff.verdict.bodyOffset).toBe(at);
});

test('two requests of two sessions are compared, and so are the sessions', async ({ w, folder }) => {
  const first = conversation('notes', 5);
  const second = conversation('notes', 5, (n, m) => {
    if (n === 4) m[5] = { ...m[5], content: 'what another run found' };
  });
  await w.open();
  await w.import(jsonl(folder, 'first run.jsonl', first));
  await expect(w.row(5)).toBeVisible();
  await w.import(jsonl(folder, 'second run.jsonl', second));
  await expect(w.page.locator('.toolbar .session')).toContainText('second run');
  await w.select(4);
  await w.get('tab-diff').click();
  await w.get('compare').click();
  await w.page.locator('.popover select').selectOption({ label: 'first run.jsonl' });
  await w.get('compare-number').fill('4');
  await w.page.locator('.popover .menu-item').filter({ hasText: '#4' }).click();
  await expect(w.get('compare')).toContainText('first run.jsonl #4');
  await expect(w.get('hunks').locator('[data-sign="+"]').first()).toContainText('what another run found');

  await w.more(/another session/);
  await expect(w.get('first-divergence')).toContainText('#4');
});

test('differences are gone through by keys from anywhere, and a failing redline names its own place', async ({ w, folder }) => {
  await w.open();
  const bodies = conversation('notes', 4, (n, m) => {
    if (n === 3) m[0] = { role: 'system', content: 'You are a careless agent.' };
  });
  for (const b of bodies.slice(2)) b.tools = b.tools?.toReversed(); // they share one list
  await w.import(jsonl(folder, 'notes.jsonl', bodies));
  await expect.poll(() => w.rows()).toBe(4);
  await w.select(3);
  await w.get('tab-raw').click();
  await w.page.locator('body').press('n');
  await expect(w.get('tab-diff')).toHaveAttribute('aria-selected', 'true');
  await expect(w.get('jumps')).toContainText('1 of');
  await w.page.locator('body').press('n');
  await expect(w.get('jumps')).toContainText('2 of');
  await w.page.locator('body').press('Shift+N');
  await expect(w.get('jumps')).toContainText('1 of');
  await expect(w.get('sentence')).toContainText('$.tools[0]');
  await expect(w.get('evidence')).toContainText('Redline A1 fails');
  await expect(w.get('evidence-place')).toHaveText('$.messages[0].content');
  await w.get('evidence').getByRole('button', { name: 'A9' }).click();
  await expect(w.get('evidence')).toContainText('Redline A9 fails');
  await w.get('tab-redlines').click();
  await w.get('redline-A1').click();
  await expect(w.get('evidence-place')).toHaveText('$.messages[0].content');
});
