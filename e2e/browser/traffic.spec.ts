import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { conversation, jsonl, unzip } from './support/files';
import { command } from './support/program';
import { expect, test } from './support/window';

test('another agent\'s file is uploaded, its requests stand there, and nobody can write to it', async ({ w, folder }) => {
  const bodies = conversation('notes', 6);
  await w.open();
  await w.import(jsonl(folder, 'agent.jsonl', bodies));
  await expect(w.row(6)).toBeVisible();
  await expect.poll(() => w.rows()).toBe(6);
  await expect(w.get('composer')).toHaveCount(0);
  await expect(w.page.locator('.toolbar')).toContainText('agent.jsonl');
  await w.select(2);
  await expect(w.get('pane-history')).toContainText('Tidy the folder notes');
  const session = (await w.call<{ current: string }>('Snapshot')).current;
  const body = await w.call<{ text: string }>('Body', { session, n: 2 }, 0);
  expect(body.text).toBe(JSON.stringify(bodies[1]));
});

test('a file that holds nothing is refused in words, and the session stays as it was', async ({ w, folder }) => {
  await w.open();
  await w.import(jsonl(folder, 'agent.jsonl', conversation('notes', 3)));
  await expect(w.row(3)).toBeVisible();
  await w.import({ name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.from('nothing of interest') });
  await expect(w.page.locator('[data-testid^=job-][data-state=failed]')).toBeVisible();
  await expect.poll(() => w.rows()).toBe(3);
});

test('each export is downloaded whole, and the proof bundle verifies', async ({ w, folder }) => {
  await w.open();
  await w.demo();
  await w.select(5);
  for (const [format, name] of [['html', /\.html$/], ['jsonl', /\.jsonl$/], ['har', /\.har$/], ['otlp', /\.json$/], ['curl', /\.sh$/], ['proof', /\.proof\.zip$/]] as const) {
    await w.more(/^Export/);
    await w.get(`export-${format}`).check();
    const coming = w.page.waitForEvent('download');
    await w.get('export-do').click();
    const file = await coming;
    expect(file.suggestedFilename()).toMatch(name);
    const path = `${folder}/${file.suggestedFilename()}`;
    await file.saveAs(path);
    expect(statSync(path).size, format).toBeGreaterThan(100);
    if (format === 'har') expect((JSON.parse(readFileSync(path, 'utf8')) as { log: { entries: unknown[] } }).log.entries).toHaveLength(await w.rows());
    if (format === 'proof') {
      unzip(path, join(folder, 'proof'));
      expect(await command(['verify', join(folder, 'proof')])).toContain('0 problems');
    }
  }
});
