import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath, start } from './support/program';
import { expect, test, type Window } from './support/window';

const WORDS = Array.from({ length: 160 }, (_, i) => `word${i}`).join(' ');

async function own(w: Window, folder: string, script: unknown): Promise<{ end(): Promise<void> }> {
  const path = join(folder, 'script.json');
  writeFileSync(path, JSON.stringify(script));
  const provider = await start(['provider', '--script', path, '--listen', '127.0.0.1:0']);
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ model: { baseURL: provider.url, model: 'scripted', profile: 'llamacpp' }, mcpServers: { zimoos: { command: programPath(), args: ['sim'] } } }));
  await w.call('Create', { name: 'Own', config });
  await expect(w.get('composer')).toBeVisible();
  return provider;
}

test('a page that is loaded again in the middle of a stream misses nothing', async ({ w, folder }) => {
  await w.open();
  const provider = await own(w, folder, { delay_ms: 25, steps: [
    { text: 'I look first.', tool_calls: [{ name: 'zimoos.current', arguments: {} }] },
    { text: `Summary: The home screen is open.\n${WORDS}` },
  ] });
  await w.prompt('Say many words');
  for (const word of ['word3', 'word30', 'word60']) {
    await expect(w.get('pane-history')).toContainText(word);
    await w.page.reload();
    await expect(w.get('timeline')).toBeVisible();
  }
  await expect(w.get('composer')).toBeVisible();
  await expect.poll(() => w.rows()).toBe(2);
  await expect(w.get('pane-history')).toContainText(WORDS);
  await w.prompt('And again');
  await expect.poll(() => w.rows()).toBe(3);
  await expect(w.get('composer')).toBeVisible();
  const session = (await w.call<{ current: string }>('Snapshot')).current;
  const view = await w.call<{ messages: { role: string; text: string }[] }>('Request', { session, n: 3 });
  expect(view.messages.map((m) => m.text).join('\n')).toContain(WORDS);
  await expect(w.get('pane-history')).toContainText('word159');
  await provider.end();
});

test('a page whose stream breaks off finds its way back and misses nothing', async ({ w, folder }) => {
  w.forgiven.push(/does not answer/);
  await w.open();
  const provider = await own(w, folder, { delay_ms: 20, steps: [{ text: WORDS }] });
  await w.prompt('Say many words');
  await expect(w.get('pane-history')).toContainText('word9');
  await w.page.context().setOffline(true);
  await w.page.waitForTimeout(400); // some of the stream passes meanwhile
  await w.page.context().setOffline(false);
  await expect(w.get('composer')).toBeVisible();
  await expect(w.row(1)).toBeVisible();
  await expect(w.get('pane-history')).toContainText(WORDS);
  await provider.end();
});
