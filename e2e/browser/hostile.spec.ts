import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { HOSTILE, hostileHar, hostileServer, UNSEEN } from './support/hostile';
import { start } from './support/program';
import { expect, test, type Window } from './support/window';

const TABS = ['diff', 'raw', 'response', 'mcp', 'proof', 'redlines'];

/** What is wrong with the page: something ran, or came in as markup, or is disguised. */
async function harm(page: Page): Promise<string[]> {
  return page.evaluate((unseen) => {
    const bad: string[] = [];
    const hidden = new RegExp(unseen);
    const pwned = (window as unknown as { pwned?: number }).pwned;
    if (pwned !== undefined) bad.push(`script ${pwned} ran`);
    for (const e of document.querySelectorAll('iframe, object, embed, base, meta[http-equiv=refresh], img, form[action], body style, body script:not([src])')) bad.push(`<${e.localName}>`);
    for (const e of document.querySelectorAll('*')) for (const a of e.attributes) {
      if (a.name.startsWith('on')) bad.push(`${e.localName} ${a.name}`);
      if ((a.name === 'href' || a.name === 'src') && /^\s*(javascript|data|https?):/i.test(a.value)) bad.push(`${e.localName} ${a.name}=${a.value.slice(0, 60)}`);
      if ((a.name === 'title' || a.name === 'aria-label') && hidden.test(a.value)) bad.push(`disguise in ${a.name} of ${e.className || e.localName}`);
    }
    if (document.querySelector('.say.scrim')) bad.push('a role chose how it is drawn');
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) if (hidden.test(walk.currentNode.nodeValue ?? '')) bad.push(`disguise in ${walk.currentNode.parentElement?.className || walk.currentNode.parentElement?.localName}`);
    const over = document.documentElement.scrollWidth - innerWidth;
    if (over > 0) bad.push(`the page is ${over} px too wide`);
    return [...new Set(bad)];
  }, UNSEEN.source);
}

/** Goes over all that is shown of the chosen request. */
async function lookAround(w: Window): Promise<void> {
  for (const tab of TABS) {
    await w.get(`tab-${tab}`).click();
    await w.page.waitForTimeout(60); // one pull and one frame
    expect(await harm(w.page), tab).toEqual([]);
  }
}

test('hostile text from a file stays text, wherever it stands', async ({ w, folder }) => {
  const asked: string[] = [];
  w.page.on('request', (r) => asked.push(r.url()));
  await w.open();
  await w.import(hostileHar(folder));
  await expect(w.row(4)).toBeVisible();
  for (const n of [1, 2, 3, 4]) {
    await w.select(n);
    await lookAround(w);
  }
  await w.page.keyboard.press('Control+Shift+F');
  await w.get('search').fill('pwned');
  await expect(w.page.locator('.hit').first()).toBeVisible();
  expect(await harm(w.page)).toEqual([]);
  await w.page.keyboard.press('Escape');
  await w.get('filter').fill(HOSTILE.slice(0, 200));
  expect(await harm(w.page)).toEqual([]);
  await w.get('filter').fill('');

  const base = new URL(w.url).origin;
  expect(asked.filter((u) => !u.startsWith(base) && !u.startsWith('blob:'))).toEqual([]);
});

test('a page that is exported of it is as harmless', async ({ w, folder, browser }) => {
  await w.open();
  await w.import(hostileHar(folder));
  await expect(w.row(4)).toBeVisible();
  await w.more(/^Export/);
  await w.get('export-html').check();
  const coming = w.page.waitForEvent('download');
  await w.get('export-do').click();
  const path = join(folder, 'out.html');
  await (await coming).saveAs(path);
  const page = await browser.newPage();
  const asked: string[] = [];
  page.on('request', (r) => asked.push(r.url()));
  await page.goto(`file://${path}`);
  await page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
  expect(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned)).toBeUndefined();
  expect(await page.locator('img, iframe, a[href^="javascript"]').count()).toBe(0);
  expect(asked.filter((u) => !u.startsWith('file:') && !u.startsWith('data:'))).toEqual([]);
  await page.close();
});

test('hostile words, tools, frames and names of a running session stay text', async ({ w, folder }) => {
  const script = join(folder, 'script.json');
  writeFileSync(script, JSON.stringify({ steps: [
    { text: HOSTILE, reasoning: HOSTILE, tool_calls: [{ name: 'zimoos.current', arguments: {} }] },
    { text: `Summary: ${HOSTILE}`, tool_calls: [{ name: 'zimoos.act', arguments: { frameCursor: '{{cursor}}', cmd: HOSTILE } }] },
    { text: `Summary: ${HOSTILE}\n${HOSTILE}` },
  ] }));
  const provider = await start(['provider', '--script', script, '--speed', '0', '--listen', '127.0.0.1:0']);
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ model: { baseURL: provider.url, model: 'scripted', profile: 'llamacpp' }, mcpServers: { zimoos: { command: process.execPath, args: [hostileServer(folder)] } } }));
  await w.open();
  await w.call('Create', { name: HOSTILE, config });
  await expect(w.get('composer')).toBeVisible();
  await w.prompt(HOSTILE);
  await expect(w.row(3)).toBeVisible();
  await expect(w.get('composer')).toBeVisible();
  for (const n of [1, 2, 3]) {
    await w.select(n);
    await lookAround(w);
  }
  const carrier = w.get('pane-carrier');
  for (const tab of await carrier.getByRole('tab').all()) {
    await tab.click();
    expect(await harm(w.page)).toEqual([]);
  }
  for (const more of await carrier.locator('.show-more button').all()) await more.click();
  await w.get('session-menu').click();
  expect(await harm(w.page)).toEqual([]);
  await w.page.keyboard.press('Escape');
  await w.page.locator('.tool-button').first().click();
  expect(await harm(w.page)).toEqual([]);
  await provider.end();
});
