// Other agents' traffic in the built program, in a browser: node scripts/traffic.mjs PROGRAM OUT
// Files are imported by button and by dropping, a proxy records, sessions are exported, compared and put to the cache
// lab, the end-to-end run is asked. It fails with the step that did not do what its button says.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configure, drive, end, folder, PATIENCE, PROGRAM, start } from './driver.mjs';
import { har, lines, requests } from './traffic-data.mjs';

const wide = (d) => d.page.viewportSize().width > 1100;

async function importByButton(d) {
  const path = join(folder, 'trace.har');
  writeFileSync(path, har());
  const chooser = d.page.waitForEvent('filechooser');
  await d.get('first-import').click();
  await (await chooser).setFiles(path);
  await d.get('row-12').waitFor({ timeout: PATIENCE });
  await d.shot('imported');
  assert.equal(await d.rows(), requests().length, 'every request of the file has a row');
  assert.equal(await d.page.getByTestId('composer').count(), 0, 'nobody can write to another agent');
}

async function look(d) {
  const threads = d.get('threads').locator('button');
  assert.equal(await threads.count(), 3, 'three conversations');
  for (const [i, name] of [[0, 'chat'], [1, 'responses'], [2, 'messages']]) {
    await threads.nth(i).click();
    await d.page.locator('.row').last().click();
    await d.page.locator('.say.foreign').first().waitFor({ timeout: PATIENCE });
    await d.shot(`dialect-${name}`);
  }
  assert.ok(await d.page.locator('.block-result.failed').count() > 0, 'a failed result is told');
  await threads.nth(2).click();
  await d.page.locator('[data-testid=filter]').fill('verdict:system-changed');
  await d.page.locator('.row').first().click();
  await d.get('inference-time-in-system').waitFor({ timeout: PATIENCE });
  await d.get('tab-diff').click();
  await d.shot('inference');
  await d.get('tab-proof').click();
  await d.shot('proof');
  await d.page.locator('[data-testid=filter]').fill('');
}

async function drop(d, name, content, opens = true) {
  await d.page.evaluate(([n, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], n));
    for (const type of ['dragenter', 'dragover']) window.dispatchEvent(new DragEvent(type, { dataTransfer: data, cancelable: true }));
  }, [name, content]);
  await d.page.locator('.drop-zone').waitFor();
  await d.shot('drop');
  await d.page.evaluate(([n, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], n));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
  }, [name, content]);
  if (opens) await d.page.locator('.toolbar .session').filter({ hasText: name }).waitFor({ timeout: PATIENCE });
}

async function importByDropping(d) {
  await drop(d, 'first run.jsonl', lines());
  const job = d.page.locator('[data-testid^=job-][data-state=done]').last();
  await job.locator('button[aria-expanded]').click();
  await d.page.locator('.job-notes li').first().waitFor();
  await d.shot('notes');
  await drop(d, 'second run.jsonl', lines(true));
  await drop(d, 'empty.txt', 'nothing of interest', false);
  await d.page.locator('[data-testid^=job-][data-state=failed]').waitFor({ timeout: PATIENCE });
  await d.shot('import-failed');
  for (const b of await d.page.locator('[data-testid^=job-] > button:last-child').all()) await b.click().catch(() => undefined);
}

async function more(d, words) {
  await d.get('more').click();
  await d.page.locator('.popover .menu-item').filter({ hasText: words }).click();
}

async function exports(d) {
  for (const format of ['html', 'har', 'proof', 'curl']) {
    await more(d, /^Export|^导出/);
    await d.get(`export-${format}`).check();
    if (format === 'proof') await d.shot('export');
    const coming = d.page.waitForEvent('download', { timeout: PATIENCE });
    await d.get('export-do').click();
    const file = await coming;
    const raw = readFileSync(await file.path());
    assert.ok(raw.length > 100, `${format}: ${raw.length} bytes`);
    assert.match(file.suggestedFilename(), { html: /\.html$/, har: /\.har$/, proof: /\.proof\.zip$/, curl: /\.sh$/ }[format]);
    if (format === 'proof') assert.equal(raw.subarray(0, 2).toString(), 'PK');
    if (format === 'har') assert.doesNotMatch(raw.toString(), /sk-not-a-real-key/, 'no key leaves');
  }
}

async function compare(d) {
  await d.menu();
  await d.page.locator('.popover .session-item').filter({ hasText: 'first run' }).locator('.menu-item').click();
  await d.page.locator('.toolbar .session').filter({ hasText: 'first run' }).waitFor({ timeout: PATIENCE });
  await more(d, /baseline|基线/);
  await d.page.locator('.dialog input').fill('good');
  await d.get('baseline-save').click();
  await d.menu();
  await d.page.locator('.popover .session-item').filter({ hasText: 'good' }).waitFor({ timeout: PATIENCE });
  await d.page.locator('.popover .session-item').filter({ hasText: 'second run' }).locator('.menu-item').click();
  await d.page.locator('.toolbar .session').filter({ hasText: 'second run' }).waitFor({ timeout: PATIENCE });
  await more(d, /another session|其他会话/);
  await d.get('first-divergence').waitFor({ timeout: PATIENCE });
  assert.match(await d.get('compare-base').evaluate((e) => e.selectedOptions[0].textContent), /first run/, 'the baseline comes first');
  await d.shot('sides');
  await d.get('first-divergence').locator('button').click();
  await d.page.locator('.hunk-column .hunk, .hunks').first().waitFor({ timeout: PATIENCE });
  await d.shot('sides-diff');
}

async function lab(d) {
  await d.get('tab-lab').click();
  await d.get('lab-run').click();
  await d.get('lab-table').waitFor({ timeout: 60_000 });
  await d.page.keyboard.press('Shift+D');
  await d.shot('lab');
  await d.page.locator('.lab-table thead button').nth(5).click();
  await d.get('lab-prices').click();
  await d.page.locator('.price-form input').first().fill('9.5');
  await d.shot('lab-prices');
  await d.get('lab-apply').click();
  await d.page.locator('.lab-table').getByText(/9\.50/).waitFor({ timeout: 60_000 });
  await d.page.keyboard.press('Shift+D');
}

async function record(d) {
  const provider = await start('provider', '--demo', '--speed', '0', '--listen', '127.0.0.1:0');
  await d.menu();
  await d.get('proxy').click();
  await d.page.locator('#proxy-upstream').fill(provider.url);
  await d.page.locator('#proxy-name').fill('Watched agent');
  await d.shot('proxy');
  await d.get('proxy-start').click();
  const address = (await d.get('proxy-address').innerText()).trim();
  await d.shot('proxy-hints');
  await d.escape();
  const agent = spawn(PROGRAM, ['run', '--config', configure(`${address}/v1`), '--prompt', 'Look at the screen'], { stdio: 'ignore', env: { ...process.env, ZIMOSCOPE_HOME: join(folder, 'agent') } });
  await once(agent, 'exit');
  await d.get('row-2').waitFor({ timeout: PATIENCE });
  await fetch(`${address}/v1/embeddings`, { method: 'POST', body: '{"input":"x"}' });
  await d.page.locator('.row.other').first().waitFor({ timeout: PATIENCE });
  await d.shot('recording');
  await d.page.locator('.row.other').first().click();
  await d.get('other').waitFor({ timeout: PATIENCE });
  await d.shot('other');
  await d.get('proxy-stop').click();
  await d.get('recording').waitFor({ state: 'detached', timeout: PATIENCE });
  await end(provider.child);
}

async function endToEnd(d) {
  await d.get('tab-e2e').click();
  await d.get('e2e-run').click();
  await d.get('e2e-outcome').waitFor({ timeout: PATIENCE });
  await d.get('probe').click();
  await d.shot('e2e');
  await d.get('backend-light').waitFor({ timeout: PATIENCE });
  await d.shot('e2e');
  if (wide(d)) assert.ok(await d.page.locator('.step').count() > 10, 'every step has its line');
}

await drive(async (d) => {
  await importByButton(d);
  await look(d);
  await importByDropping(d);
  await exports(d);
  await compare(d);
  await lab(d);
  await record(d);
  await endToEnd(d);
});
