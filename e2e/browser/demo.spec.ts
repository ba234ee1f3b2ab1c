import { expect, test } from './support/window';

test('the first start offers one button, which plays the demo into the three panes', async ({ w }) => {
  await w.open();
  await expect(w.get('first-run')).toBeVisible();
  await expect(w.get('start-demo')).toBeFocused();
  await w.demo();
  const rows = await w.rows();
  expect(rows).toBeGreaterThanOrEqual(14);
  await expect(w.get('statusbar')).toContainText(`${rows} requests`);
  await expect(w.get('statusbar')).not.toContainText('violation');
  await expect(w.get('pane-prefix')).toContainText('zimoos.act');
  await expect(w.get('pane-history')).toContainText('Summary');
  await expect(w.get('pane-carrier')).toContainText('Weekend shopping');
  await expect(w.row(rows)).toHaveAttribute('aria-selected', 'true');
});

test('an older request is shown with its own bytes, and following stops', async ({ w }) => {
  await w.open();
  await w.demo();
  await w.select(3);
  await expect(w.get('follow')).toHaveAttribute('aria-pressed', 'false');
  const session = (await w.call<{ current: string }>('Snapshot')).current;
  const view = await w.call<{ carrier: { frame: { cursor: string } }; row: { bytes: number } }>('Request', { session, n: 3 });
  await expect(w.get('pane-carrier')).toContainText(view.carrier.frame.cursor);
  await w.get('tab-raw').click();
  await expect(w.get('long-text')).toContainText('"messages":[');
  await w.get('follow').click();
  await expect(w.get('request-head').locator('.number')).toHaveText(`#${await w.rows()}`);
});

test('what is stored is there after the program was started again', async ({ w }) => {
  await w.open();
  await w.demo();
  const rows = await w.rows();
  await w.close();
  w.forgiven.push(/does not answer/);
  await w.open();
  await w.openSession(/Demo session/);
  await expect.poll(() => w.rows()).toBe(rows);
  await expect(w.get('pane-carrier')).toContainText('Weekend shopping');
});
