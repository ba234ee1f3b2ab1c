// The pictures of the guide and of the README, from the running program: node scripts/pictures.mjs PROGRAM OUT [name-filter]
// One session, the demo, and beside it one whose history was rewritten: a capture of the demo with a word changed in an
// old record. Needs Chromium (CHROMIUM=/path); where ImageMagick is installed, pictures are written with a palette, which
// takes a quarter of the room.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { children, Driver, end, folder, OUT, PATIENCE, PROGRAM, start } from './driver.mjs';

const ONLY = process.argv[4] ?? '';
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--font-render-hinting=none'];
/** Requests of the demo. */
const DEMO = 15;
/** From which request on the broken session's history reads otherwise. */
const BROKEN = 9;

const WORDS = {
  en: { session: 'Demo session', broken: 'A rewritten history', whole: 'As it was sent', old: 'Opened Notes, which holds', now: 'Opened Notes, which lists', ask: 'Look at the screen', compare: /another session/, find: 'tomato' },
  zh: { session: '演示会话', broken: '被改写的历史', whole: '原样', old: '打开了笔记，共', now: '进入了笔记，共', ask: '看一下屏幕', compare: /其他会话/, find: '番茄' },
};

function run(args) {
  const done = spawnSync(PROGRAM, args, { encoding: 'utf8', env: { ...process.env, ZIMOSCOPE_DEMO_FAST: '1', OPENAI_API_KEY: '' } });
  if (done.status !== 0) throw new Error(`${args[0]}: ${done.stderr}`);
}

/** Captures the demo, rewrites a word of an old record from one request on, and imports that. Nothing moves by it: what the
 * sender said of its requests stays true but for that word. */
function breakHistory(data, lang, suffix) {
  const capture = join(folder, `capture-${suffix}`);
  const w = WORDS[lang];
  run(['run', '--demo', '--lang', lang, '--capture', capture, '--data', join(folder, `captured-${suffix}`)]);
  let changed = 0;
  for (const name of readdirSync(capture).filter((x) => x.endsWith('.body.json') && Number(x.slice(4, 7)) >= BROKEN)) {
    const path = join(capture, name);
    const was = readFileSync(path, 'utf8');
    const is = was.replaceAll(w.old, w.now);
    if (is !== was) changed++;
    writeFileSync(path, is);
  }
  if (changed === 0) throw new Error(`the demo no longer says "${w.old}"`);
  run(['import', capture, '--session', w.broken, '--data', data]);
}

/** The same capture as it was. */
function importWhole(data, lang, suffix) {
  const capture = join(folder, `whole-${suffix}`);
  run(['run', '--demo', '--lang', lang, '--capture', capture, '--data', join(folder, `played-${suffix}`)]);
  run(['import', capture, '--session', WORDS[lang].whole, '--data', data]);
}

function pack(path) {
  spawnSync('convert', [path, '+dither', '-colors', '256', '-strip', '-define', 'png:compression-level=9', `PNG8:${path}`]);
}

async function shot(d, name) {
  if (!name.includes(ONLY)) return;
  await d.page.mouse.move(700, 4);
  await d.page.evaluate(() => document.activeElement?.closest('[role=dialog]') || document.activeElement?.blur());
  await d.page.waitForTimeout(300);
  const path = join(OUT, `${name}.png`);
  await d.page.screenshot({ path });
  pack(path);
  console.log(`${name}: ${Math.round(statSync(path).size / 1000)} kB`);
}

async function row(d, n) {
  await d.page.keyboard.press('Control+k');
  await d.get('palette').fill(String(n));
  await d.page.keyboard.press('Enter');
  await d.page.locator(`#row-${n}[aria-selected=true]`).waitFor({ timeout: PATIENCE });
}

async function session(d, name) {
  await d.menu();
  await d.page.locator('.popover .session-item').filter({ hasText: name }).locator('.menu-item').click();
  await d.page.locator('.toolbar .session').filter({ hasText: name }).waitFor({ timeout: PATIENCE });
  await d.page.waitForTimeout(800);
}

async function open(browser, url, theme, lang, size) {
  const context = await browser.newContext({ viewport: { width: size[0], height: size[1] }, colorScheme: theme, locale: lang === 'zh' ? 'zh-CN' : 'en-US', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(url);
  return new Driver(page, theme, lang);
}

async function demo(d) {
  await d.get('start-demo').click();
  await d.get(`row-${DEMO}`).waitFor({ timeout: PATIENCE });
  await d.idle();
  await d.page.locator('[data-testid=toast] span').waitFor({ state: 'detached', timeout: PATIENCE }).catch(() => undefined);
}

/** The tour of one language, in one look. */
async function tour(browser, theme, lang, size, suffix, all) {
  const data = join(folder, `data-${suffix}`);
  const program = await start('serve', '--data', data, '--lang', lang);
  const d = await open(browser, program.url, theme, lang, size);
  const take = (name) => shot(d, `${name}-${suffix}`);
  const w = WORDS[lang];
  if (all) {
    await d.page.locator('[data-testid=start-demo]:focus').waitFor({ timeout: PATIENCE }); // before shot takes the focus away
    await take('first');
  }
  await demo(d);
  await row(d, BROKEN);
  await take('window');
  if (all) {
    await rest(d, take, w);
    importWhole(data, lang, suffix);
    breakHistory(data, lang, suffix);
    await beside(d, take, w);
  }
  await d.page.context().close();
  await end(program.child);
}

async function rest(d, take, w) {
  await d.get('tab-proof').click();
  await take('proof');
  await d.get('tab-lab').click();
  await d.get('lab-run').click();
  await d.get('lab-table').waitFor({ timeout: 60_000 });
  await d.page.keyboard.press('Shift+D');
  await take('lab');
  await d.page.keyboard.press('Shift+D');
  await d.get('tab-diff').click();
  await d.page.keyboard.press('Control+Shift+f');
  await d.get('search').fill(w.find);
  await d.page.locator('.hit mark').nth(3).waitFor({ timeout: PATIENCE });
  await take('search');
  await d.escape();
  await d.get('step').click();
  await d.prompt(w.ask);
  await d.get('continue').waitFor({ timeout: PATIENCE });
  await d.get('follow').click();
  await d.page.locator('main.staged').waitFor({ timeout: PATIENCE });
  await d.page.locator('[data-testid=toast] span').waitFor({ state: 'detached', timeout: PATIENCE });
  await take('stepper');
  await d.get('abandon').click();
  await d.idle();
}

/** The broken session, and both side by side. */
async function beside(d, take, w) {
  await d.page.reload(); // sessions that another program wrote are listed when the page asks anew
  await d.idle();
  await session(d, w.broken);
  await d.get('composer-off').waitFor({ timeout: PATIENCE });
  await d.page.locator('[data-testid=toast] span').waitFor({ state: 'detached', timeout: PATIENCE });
  await row(d, BROKEN);
  await take('broken');
  await d.get('more').click();
  await d.page.locator('.popover .menu-item').filter({ hasText: w.compare }).click();
  await d.get('compare-base').selectOption({ label: w.whole });
  await d.get('first-divergence').waitFor({ timeout: PATIENCE });
  await take('sides');
}

const LOOKS = process.env.EVERY
  ? [[1024, 640], [1440, 900], [2560, 1440]].flatMap((size) => ['light', 'dark'].flatMap((theme) => ['en', 'zh'].map((lang) => [theme, lang, size, `${size[0]}-${theme}-${lang}`, true])))
  : [['light', 'en', [1440, 900], 'light-en', true], ['light', 'zh', [1440, 900], 'light-zh', true], ['dark', 'en', [1440, 900], 'dark-en', false], ['dark', 'zh', [1440, 900], 'dark-zh', false]];

mkdirSync(OUT, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS });
try {
  for (const look of LOOKS) await tour(browser, ...look);
} finally {
  await browser.close();
  for (const c of children) c.kill('SIGTERM');
}
