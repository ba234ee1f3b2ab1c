// Clicks through the built program in a browser, as a person would: node scripts/drive.mjs PROGRAM OUT
// Every command of sessions and runs is done once by its button; pictures of what stands there go to OUT. It fails with
// the step that did not do what its button says. Needs Chromium (CHROMIUM=/path, default /usr/bin/chromium).
import assert from 'node:assert/strict';
import { drive, end, configure, PATIENCE, start } from './driver.mjs';

async function demo(d) {
  await d.get('start-demo').click();
  await d.get('row-12').waitFor({ timeout: PATIENCE });
  await d.idle();
}

async function abandonAndStop(d) {
  await d.get('step').click();
  await d.prompt('Look at the screen');
  await d.get('abandon').waitFor({ timeout: PATIENCE });
  const staged = await d.rows();
  await d.shot('staged');
  await d.get('abandon').click();
  await d.idle();
  assert.equal(await d.rows(), staged - 1, 'Abandon takes the staged request away');
  await d.get('step').click();
  await d.prompt('Look once more');
  await d.get('continue').waitFor({ timeout: PATIENCE });
  await d.get('stop').click();
  await d.idle();
  assert.equal(await d.rows(), staged - 1, 'Stop ends the turn before its request is sent');
}

async function retry(d, url) {
  const path = configure(url.address);
  await d.menu();
  await d.page.locator('.popover .menu-item').filter({ hasText: /New session|新建会话/ }).click();
  await d.page.locator('#new-name').fill('Own session');
  await d.page.locator('#new-config').fill(path);
  await d.get('new-settings').click();
  await d.get('settings-system').waitFor();
  await d.shot('new');
  await d.get('new-create').click();
  await d.page.locator('main.ready').waitFor({ timeout: PATIENCE });
  await d.idle();
  await end(url.child);
  await d.prompt('Look at the screen');
  await d.get('retry').waitFor({ timeout: PATIENCE });
  await d.shot('failed');
  const failed = await d.rows();
  const again = await start('provider', '--demo', '--speed', '0', '--listen', new URL(url.address).host);
  await d.get('retry').click();
  await d.page.waitForFunction(() => document.querySelector('[data-testid=composer]') && !document.querySelector('[data-testid=retry]'), null, { timeout: PATIENCE });
  assert.ok((await d.rows()) > failed, 'Retry sends the request again');
  return again.child;
}

async function settings(d) {
  await d.get('more').click();
  await d.shot('more');
  await d.page.locator('.popover .menu-item').first().click();
  await d.get('settings-system').fill('You work inside ZimoOS. Be brief.');
  await d.shot('settings');
  await d.get('settings-save').click();
  await d.get('settings').waitFor({ state: 'detached' });
  const before = await d.rows();
  await d.prompt('Look again');
  await d.get(`row-${before + 1}`).waitFor({ timeout: PATIENCE });
  await d.idle();
  const row = d.get(`row-${before + 1}`);
  assert.match(await row.locator('.verdict').innerText(), /system changed|系统消息已变/, 'changed settings are announced');
  assert.equal(await row.evaluate((e) => e.classList.contains('violation')), false, 'and planned');
}

async function renamePinSearch(d) {
  await d.menu();
  await d.page.locator('.popover .session-item').filter({ hasText: 'Own session' }).locator('.side button').nth(1).click();
  await d.page.locator('.dialog input').fill('Renamed session');
  await d.get('rename-save').click();
  await d.page.locator('.toolbar .session').filter({ hasText: 'Renamed session' }).waitFor({ timeout: PATIENCE });
  await d.menu();
  const demos = d.page.locator('.popover .session-item').filter({ hasText: /Demo session|演示会话/ });
  await demos.locator('.side button').first().click();
  await d.page.locator('.popover .session-item').first().filter({ hasText: /Demo session|演示会话/ }).waitFor({ timeout: PATIENCE });
  await d.shot('sessions');
  await d.escape();
  await d.page.keyboard.press('Control+Shift+f');
  await d.get('search').fill('tool:zimoos.act verdict:sealed');
  await d.page.locator('.hit').first().waitFor({ timeout: PATIENCE });
  await d.get('search').fill('shopping');
  await d.page.locator('.hit mark').first().waitFor({ timeout: PATIENCE }).catch(() => undefined);
  await d.shot('search');
  await d.get('search').fill('"Look once more"');
  await d.page.waitForFunction(() => document.querySelectorAll('.hit').length === 0 && /0|没有/.test(document.querySelector('[data-testid=search-said]')?.textContent ?? ''), null, { timeout: PATIENCE });
  await d.get('search').fill('kind:main n:3');
  await d.page.locator('.hit').nth(1).waitFor({ timeout: PATIENCE });
  await d.page.locator('.hit').nth(1).click();
  await d.page.locator('.toolbar .session').filter({ hasText: /Demo session|演示会话/ }).waitFor({ timeout: PATIENCE });
  await d.page.locator('#row-3[aria-selected=true]').waitFor({ timeout: PATIENCE });
}

async function deleteUndoCompact(d) {
  const open = async () => {
    await d.menu();
    await d.page.locator('.popover .session-item').filter({ hasText: 'Renamed session' }).locator('.side button').last().click();
    await d.shot('delete');
    await d.get('delete-confirm').click();
    await d.get('toast-action').waitFor({ timeout: PATIENCE });
  };
  await open();
  await d.shot('deleted');
  await d.get('toast-action').click();
  await d.get('toast-action').waitFor({ state: 'detached', timeout: PATIENCE });
  await open();
  await d.get('more').click();
  await d.page.locator('.popover .menu-item').filter({ hasText: /Recently deleted|最近删除/ }).click();
  await d.page.locator('.trash li').waitFor({ timeout: PATIENCE });
  await d.shot('trash');
  await d.page.locator('.trash li button').first().click();
  await d.page.locator('.trash li').waitFor({ state: 'detached', timeout: PATIENCE });
  await d.escape();
  await d.menu();
  await d.page.locator('.popover .session-item').filter({ hasText: 'Renamed session' }).waitFor({ timeout: PATIENCE });
  await d.escape();
  await d.get('more').click();
  await d.page.locator('.popover .menu-item').nth(1).click();
  await d.shot('compact');
  await d.get('compact-confirm').click();
  await d.page.locator('[data-testid=toast]').filter({ hasText: /Compacted|压缩完成|nothing to gain|没有可释放/ }).waitFor({ timeout: PATIENCE });
  await d.shot('compacted');
}

async function keys(d) {
  await d.get('more').click();
  await d.page.locator('.popover .menu-item').last().click();
  await d.get('keys').waitFor();
  await d.page.waitForTimeout(800);
  await d.shot('keys');
  await d.escape();
}

await drive(async (d) => {
  const provider = await start('provider', '--demo', '--speed', '0', '--listen', '127.0.0.1:0');
  await demo(d);
  await abandonAndStop(d);
  const again = await retry(d, { address: provider.url, child: provider.child });
  await settings(d);
  await renamePinSearch(d);
  await deleteUndoCompact(d);
  await keys(d);
  await end(again);
});
