import { expect, test, type Window } from './support/window';

interface Snapshot {
  current: string;
  state: { running: string; pausedAt: string; request: number };
}
interface TextPage {
  text: string;
  sha256: string;
}

/** Waits until a request is staged, and gives its number. The timeline may come after the state. */
async function staged(w: Window, before: number): Promise<number> {
  await expect(w.get('continue')).toBeVisible();
  await expect(w.get('request-head')).toHaveClass(/paused/);
  await expect.poll(() => w.rows()).toBe(before + 1);
  return before + 1;
}

/** Steps with a prompt, so that its first request waits; gives the request's number. */
async function stepped(w: Window, before: number): Promise<number> {
  await w.get('step').click();
  await expect(w.get('toast')).toContainText('pauses');
  await w.prompt('Look at the screen');
  return staged(w, before);
}

/** How often words stand in the body of a request. */
async function asked(w: Window, n: number, words: string): Promise<number> {
  const session = (await w.call<Snapshot>('Snapshot')).current;
  return (await w.call<TextPage>('Body', { session, n }, 0)).text.split(words).length - 1;
}

test('a request waits before it leaves, its bytes stand there, and these bytes are sent', async ({ w }) => {
  await w.open();
  await w.demo();
  await w.get('breakpoints').click();
  await w.get('break-beforeRequest').click();
  await expect(w.get('break-beforeRequest')).toBeChecked();
  await w.page.keyboard.press('Escape');
  const before = await w.rows();
  await w.prompt('Look at the screen');
  const n = await staged(w, before);
  await expect(w.page.locator('main')).toHaveClass(/staged/);
  await expect(w.row(n)).toHaveClass(/staged/);
  await w.get('tab-raw').click();
  await expect(w.get('long-text')).toContainText('"messages":[');
  const session = (await w.call<Snapshot>('Snapshot')).current;
  const waiting = await w.call<TextPage>('Body', { session, n }, 0);
  expect(waiting.text).toContain('Look at the screen');

  await w.get('continue').click();
  await expect(w.row(n)).not.toHaveClass(/staged/);
  const sent = await w.call<TextPage>('Body', { session, n }, 0);
  expect(sent.text).toBe(waiting.text);
});

test('Step goes request by request, and Abandon takes the staged one away', async ({ w }) => {
  await w.open();
  await w.demo();
  const before = await w.rows();
  await stepped(w, before);
  await w.get('abandon').click();
  await expect(w.get('composer')).toBeVisible();
  await expect.poll(() => w.rows()).toBe(before);
  await expect(w.row(before + 1)).toHaveCount(0);

  await expect(w.get('retry')).toHaveAttribute('title', /no answer yet/);
  await w.get('retry').click();
  await expect(w.row(before + 1)).toBeVisible();
  await w.idle();
  await expect(w.get('retry')).toHaveCount(0);
  expect(await asked(w, before + 1, 'Look at the screen')).toBe(1);
});

test('the same words after Stop go on with the turn and are not asked twice', async ({ w }) => {
  await w.open();
  await w.demo();
  const before = await w.rows();
  await w.get('step').click();
  await w.prompt('Look at the screen');
  await staged(w, before);
  await w.get('stop').click();
  await expect(w.get('retry')).toBeVisible();
  await w.page.reload();
  await expect(w.get('retry')).toBeVisible();
  await w.prompt('Look at the screen');
  await expect(w.row(before + 1)).toBeVisible();
  await w.idle();
  expect(await asked(w, before + 1, 'Look at the screen')).toBe(1);
});

test('Stop ends a paused turn before its request is sent', async ({ w }) => {
  await w.open();
  await w.demo();
  const before = await w.rows();
  await w.page.keyboard.press('F10');
  await expect(w.get('toast')).toContainText('pauses');
  await w.prompt('Look once more');
  await staged(w, before);
  await w.page.keyboard.press('Shift+F5');
  await expect(w.get('composer')).toBeVisible();
  await expect.poll(() => w.rows()).toBe(before);
});

test('a breakpoint before one tool stops at that tool, and the badge counts it', async ({ w }) => {
  await w.open();
  await w.demo();
  await w.get('breakpoints').click();
  await w.get('break-beforeTool').click();
  await expect(w.get('break-beforeTool')).toBeChecked();
  await w.page.locator('.popover select').selectOption('zimoos.current');
  await w.page.keyboard.press('Escape');
  await expect(w.get('breakpoints').locator('.badge')).toHaveText('1');
  const breakpoints = async () => (await w.call<{ state: { breakpoints: { beforeTool: boolean; tool: string } } }>('Snapshot')).state.breakpoints;
  await expect.poll(breakpoints).toMatchObject({ beforeTool: true, tool: 'zimoos.current' });
});

test('a call by hand shows its frame, and a request that waits is built anew with it', async ({ w }) => {
  await w.open();
  await w.demo();
  const before = await w.rows();
  const n = await stepped(w, before);
  const session = (await w.call<Snapshot>('Snapshot')).current;
  const waiting = await w.call<TextPage>('Body', { session, n }, 0);
  await w.page.locator('.tool-button').first().click();
  await w.page.locator('#hand-cmd').fill('home');
  await w.get('hand-send').click();
  await expect(w.get('hand-result')).toContainText('built anew');
  await expect(w.get('pane-carrier').getByTestId('frame')).toContainText('Home');
  const anew = await w.call<TextPage>('Body', { session, n }, 0);
  expect(anew.sha256).not.toBe(waiting.sha256);
  expect(anew.text).not.toContain('"cmd":"home"');
  await w.get('continue').click();
  await expect(w.row(n)).not.toHaveClass(/staged/);
  expect((await w.call<TextPage>('Body', { session, n }, 0)).text).toBe(anew.text);
});
