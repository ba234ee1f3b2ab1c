import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test, type Window } from './support/window';

interface Snapshot {
  state: { pausedAt: string };
}

/** Leaves the demo session as a program with a mistake would: the last request that was sent reads otherwise. */
function alter(folder: string): void {
  const program = process.env.ZIMOSCOPE_ALTER;
  if (!program) throw new Error('ZIMOSCOPE_ALTER does not name the program that alters a session; make test-browser does.');
  execFileSync(program, ['-data', join(folder, 'data'), '-was', 'Opened Notes, which holds', '-is', 'Opened Notes, which lists']);
}

/** Sets or takes away one breakpoint with keys alone, and comes back to where the focus was. */
async function toggle(w: Window, name: string): Promise<void> {
  await w.get('breakpoints').focus();
  await w.page.keyboard.press('Enter');
  await expect(w.page.locator('.popover input').first()).toBeFocused();
  for (let i = 0; i < 6 && !(await w.get(`break-${name}`).evaluate((e) => e === document.activeElement)); i++) await w.page.keyboard.press('ArrowDown');
  await expect(w.get(`break-${name}`)).toBeFocused();
  const was = await w.get(`break-${name}`).isChecked();
  await w.page.keyboard.press('Space');
  await expect(w.get(`break-${name}`)).toBeChecked({ checked: !was });
  await w.page.keyboard.press('Escape');
  await expect(w.get('breakpoints')).toBeFocused();
}

const pausedAt = async (w: Window) => (await w.call<Snapshot>('Snapshot')).state.pausedAt;

test('a request that breaks the promise waits at its breakpoint, set by keys, and nothing else does', async ({ w, folder }) => {
  await w.open();
  await w.demo();
  await w.close();
  alter(folder);
  await w.open();
  await w.openSession('Demo');
  await w.idle();
  const before = await w.rows();

  await toggle(w, 'onUnplanned');
  await w.prompt('Look at the screen');
  await expect.poll(() => pausedAt(w)).toBe('verdict');
  await expect(w.row(before + 1)).toHaveClass(/staged/);
  await expect(w.get('request-head')).toContainText('unplanned verdict');
  await expect(w.get('pane-history')).toContainText('rewritten here');
  await w.get('abandon').click();
  await w.idle();
  await expect.poll(() => w.rows()).toBe(before);

  await toggle(w, 'onUnplanned');
  await toggle(w, 'onRedline');
  await w.get('retry').click();
  await expect.poll(() => pausedAt(w)).toBe('redline');
  await expect(w.row(before + 1)).toHaveClass(/staged/);
  await expect(w.get('request-head')).toContainText('failing redline');
  await w.get('tab-redlines').click();
  await expect(w.get('redlines')).toContainText('A9');
  await w.page.keyboard.press('F8');
  await w.idle();
  await expect.poll(() => w.rows()).toBe(before + 1); // the next ones go on from what was sent: nothing is broken any more
  await w.prompt('And now?');
  await expect.poll(() => w.rows()).toBeGreaterThan(before + 1);
  await w.idle();
});
