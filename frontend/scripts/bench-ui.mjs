// Measures the window in Chromium against the built program: node scripts/bench-ui.mjs PROGRAM MAKE
// MAKE is the built e2e/browser/make, which writes the long session once into the temporary folder. Each figure is printed
// with its target and the machine; nothing fails for a slow machine. Needs Chromium (CHROMIUM=/path).
//   ONLY=foreign,body   measures these parts alone      HOUR=0.1   a tenth of the simulated hour
//   ONLY=hour REAL=1    an hour as long as it is, 20 events a second; it is measured in no other way
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { children, end, folder, PROGRAM, start } from './driver.mjs';
import { bodies, foreignData, longData, text } from './bench-data.mjs';
import { bareBrowser, countEvents } from './bench-help.mjs';

const MAKE = process.argv[3];
const REQUESTS = Number(process.env.REQUESTS ?? 10_000);
const ONLY = (process.env.ONLY ?? '').split(',').filter((x) => x !== '');
const HOUR = Number(process.env.HOUR ?? 1);
/** Events of an hour at 20 a second. */
const EVENTS = Math.round(72_000 * HOUR);
/** How often a figure is taken; the middle one is printed. */
const TIMES = 7;
/** Milliseconds between two measurements, in which the program and the page come to rest. */
const REST_MS = 600;
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Milliseconds in which a page comes to rest. */
const SETTLE_MS = 5000;
const rest = (ms) => new Promise((done) => setTimeout(done, ms));
const results = [];

function say(what, value, target, note = '') {
  const held = target === null ? '' : value.number <= target.number ? 'held' : 'MISSED';
  results.push({ what, value: value.text, target: target?.text ?? '', held, note });
  console.log(`${what}: ${value.text}${target ? ` (target ${target.text}, ${held})` : ''}${note ? `; ${note}` : ''}`);
}
const ms = (n) => ({ number: n, text: `${n < 10 ? n.toFixed(1) : Math.round(n)} ms` });
const mb = (n) => ({ number: n, text: `${Math.round(n / 1e6)} MB` });
const count = (n) => ({ number: n, text: String(n) });
const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** What the page measures of itself. Added to each page before its own scripts. */
function inPage() {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  const long = [];
  /** Waits until something is there: it looks after each change of the page, so that no frame is lost by asking. */
  const until = (ready) => new Promise((done, failed) => {
    const late = setTimeout(() => failed(new Error('not within a minute')), 60_000);
    const look = () => {
      if (!ready()) return;
      clearTimeout(late);
      watch.disconnect();
      done();
    };
    const watch = new MutationObserver(look);
    watch.observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
    look();
  });
  new PerformanceObserver((l) => long.push(...l.getEntries().map((e) => e.duration))).observe({ type: 'longtask', buffered: true });
  window.bench = {
    /** From a click to the first painted frame in which `ready` finds something. */
    async click(selector, ready) {
      const target = document.querySelector(selector);
      if (!target) throw new Error(`there is no ${selector}`);
      long.length = 0;
      const from = performance.now();
      target.click();
      await until(() => document.querySelector(ready));
      await painted();
      const took = performance.now() - from;
      await new Promise((done) => setTimeout(done, 100)); // the browser tells of long tasks when they are over
      return { took, long: Math.max(0, ...long) };
    },
    painted,
    until,
    long: () => Math.max(0, ...long),
    forget: () => (long.length = 0),
  };
  /** When the first row was painted, counted from the start of the navigation. */
  window.firstRow = (async () => {
    await until(() => document.querySelector('.tl-line .row'));
    await painted();
    return performance.now();
  })();
}

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });

async function page(url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US', reducedMotion: 'reduce' });
  const p = await context.newPage();
  await p.addInitScript(inPage);
  await p.goto(url);
  return p;
}

const clickAndWait = (p, selector, ready) => p.evaluate(([a, b]) => window.bench.click(a, b), [selector, ready]);

/** Chooses a request by the keyboard's palette, so that its row need not be visible, and waits until it is shown. */
async function choose(p, n) {
  await p.keyboard.press('Control+k');
  await p.getByTestId('palette').fill(String(n));
  await p.keyboard.press('Enter');
  await p.waitForFunction((want) => document.querySelector('[data-testid=request-head] .number')?.textContent === `#${want}` && document.querySelector('[data-testid=ladder]'), n, { timeout: 60_000 });
}

/** Chooses requests one after another: by one step each, as j does, or wherever. */
async function selecting(p, from, by, what, target) {
  await choose(p, from);
  await p.waitForTimeout(REST_MS);
  const took = [];
  let long = 0;
  for (let i = 1; i <= TIMES; i++) {
    const n = from + i * by;
    if (by !== 1) await p.evaluate((at) => { const box = document.querySelector('.rows'); box.scrollTop = box.scrollHeight * at; }, (n - 5) / REQUESTS);
    await p.getByTestId(`row-${n}`).waitFor();
    await p.waitForTimeout(REST_MS);
    const got = await p.evaluate(async (want) => {
      const head = () => document.querySelector('[data-testid=request-head] .number')?.textContent === `#${want}`;
      window.bench.forget();
      const from = performance.now();
      document.querySelector(`[data-testid=row-${want}]`).click();
      await window.bench.until(head);
      await window.bench.painted();
      const took = performance.now() - from;
      await new Promise((done) => setTimeout(done, 100));
      return { took, long: window.bench.long() };
    }, n);
    took.push(got.took);
    long = Math.max(long, got.long);
  }
  say(what, ms(middle(took)), target, `longest task ${long > 0 ? `${Math.round(long)} ms` : 'under 50 ms'}`);
}

async function opening(program, kind = 'stored') {
  const p = await page(program.url);
  await p.getByTestId('first-run').waitFor();
  const got = await p.evaluate(async () => {
    const button = [...document.querySelectorAll('[data-testid=first-run] button')].find((b) => b.textContent === 'Long');
    const from = performance.now();
    button.click();
    await window.bench.until(() => document.querySelector('.tl-line .row'));
    await window.bench.painted();
    return performance.now() - from;
  });
  say(`opening the ${kind} session of ${REQUESTS} requests to its first painted row`, ms(got), { number: 1000, text: '1 s' });
  await p.context().close();
  const took = [];
  for (let i = 0; i < TIMES; i++) {
    const q = await page(program.url);
    took.push(await q.evaluate(() => window.firstRow));
    await q.context().close();
  }
  say('loading the window on that session to its first painted row', ms(middle(took)), { number: 1000, text: '1 s' });
}

async function scrolling(p) {
  const got = await p.evaluate(async () => {
    const box = document.querySelector('.rows');
    let holes = 0;
    let steps = 0;
    let slowest = 0;
    box.scrollTop = 0;
    for (let last = -1; box.scrollTop !== last; steps++) {
      last = box.scrollTop;
      box.scrollTop += box.clientHeight * 0.9;
      const from = performance.now();
      await window.bench.painted();
      slowest = Math.max(slowest, performance.now() - from);
      const r = box.getBoundingClientRect();
      for (let y = r.top + 30; y < r.bottom - 4; y += 20) if (!document.elementFromPoint(r.left + 40, y)?.closest('.tl-line, .turn-holder')) holes++;
    }
    return { holes, steps, slowest };
  });
  say('empty rows while the timeline is scrolled from end to end', count(got.holes), { number: 0, text: '0' }, `${got.steps} steps, slowest frame ${Math.round(got.slowest)} ms`);
}

async function long() {
  const program = await start('serve', '--data', longData(MAKE, REQUESTS));
  await opening(program);
  const p = await page(program.url);
  await p.evaluate(() => window.firstRow);
  const target = { number: 50, text: '50 ms' };
  await selecting(p, 200, 1, 'the next request, of about 1,000 messages', target);
  await selecting(p, 200, 11, 'any request of about 1,000 messages', target);
  await selecting(p, Math.round(REQUESTS * 0.5), 1, `the next request, of about ${REQUESTS * 2.5} messages`, target);
  await selecting(p, Math.round(REQUESTS * 0.5), 11, `any request of about ${REQUESTS * 2.5} messages`, target);
  await selecting(p, REQUESTS - 20, 1, `the next request, of about ${REQUESTS * 5} messages`, target);
  await selecting(p, REQUESTS - 200, 11, `any request of about ${REQUESTS * 5} messages`, target);
  await scrolling(p);
  await p.context().close();
  await end(program.child);
}

async function foreign() {
  const program = await start('serve', '--data', foreignData(REQUESTS));
  await opening(program, 'imported');
  const p = await page(program.url);
  await p.evaluate(() => window.firstRow);
  const target = { number: 50, text: '50 ms' };
  await selecting(p, Math.round(REQUESTS * 0.5), 1, 'the next imported request, of up to 300 messages', target);
  await selecting(p, Math.round(REQUESTS * 0.2), 97, 'any imported request, of up to 300 messages', target);
  await scrolling(p);
  await p.context().close();
  await end(program.child);
}

async function imported(name, list) {
  const path = join(folder, `${name}.jsonl`);
  writeFileSync(path, list.map((m) => JSON.stringify({ model: 'm', messages: m }) + '\n').join(''));
  const data = join(folder, name);
  const made = spawnSync(PROGRAM, ['import', path, '--session', name, '--data', data], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (made.status !== 0) throw new Error(`${name} could not be imported`);
  const program = await start('serve', '--data', data);
  const p = await page(program.url);
  await p.getByRole('button', { name }).click();
  await p.locator('.tl-line .row').first().waitFor();
  await p.waitForTimeout(1500);
  return { program, p };
}

async function diff() {
  const first = bodies(2000, 2500);
  const second = structuredClone(first);
  second[1000].content = `changed ${second[1000].content}`;
  second.push({ role: 'user', content: 'And now?' });
  const { program, p } = await imported('Five', [first, second]);
  const took = [];
  for (let i = 0; i < TIMES; i++) {
    await p.getByTestId('row-1').click();
    await p.waitForFunction(() => !document.querySelector('.hunk-line'));
    await p.waitForTimeout(500);
    took.push((await clickAndWait(p, '[data-testid=row-2]', '.hunk-line')).took);
  }
  say('diff of two requests of 5 MB, from the click to the first hunk', ms(middle(took)), { number: 200, text: '200 ms' });
  await p.context().close();
  await end(program.child);
}

async function body() {
  const { program, p } = await imported('Twenty', [bodies(4, 5_000_000)]);
  const took = [];
  let long = 0;
  for (let i = 0; i < TIMES; i++) {
    await p.getByTestId('tab-diff').click();
    await p.waitForTimeout(300);
    const got = await clickAndWait(p, '[data-testid=tab-raw]', '[data-testid=long-text] .text-row');
    took.push(got.took);
    long = Math.max(long, got.long);
  }
  say('a body of 20 MB opened', ms(middle(took)), { number: 1000, text: '1 s' });
  await p.evaluate(() => window.bench.forget());
  for (let i = 0; i < 40; i++) {
    const more = p.locator('.next-page');
    if ((await more.count()) === 0) break;
    await p.evaluate(() => { const b = document.querySelector('.long .scroller'); b.scrollTop = b.scrollHeight; });
    if (await more.isEnabled().catch(() => false)) await more.click({ timeout: 5000 }).catch(() => undefined);
    await p.waitForTimeout(150);
  }
  if (await p.locator('.next-page').count()) throw new Error('the body was not read to its end');
  await p.waitForTimeout(REST_MS);
  long = Math.max(long, await p.evaluate(() => window.bench.long()));
  say('longest time for which input waits while it is read to its end', long > 0 ? ms(long) : { number: 0, text: 'under 50 ms' }, { number: 100, text: '100 ms' });
  await p.context().close();
  await end(program.child);
}

/** Answers of the scripted provider in the hour. */
const ANSWERS = [
  { text: `Summary: I looked.\n${text(700, 7)}`, tool_calls: [{ name: 'zimoos.current', arguments: {} }] },
  { text: `Summary: I looked again.\n${text(700, 8)}`, tool_calls: [{ name: 'zimoos.act', arguments: { frameCursor: '{{cursor}}', cmd: 'open app:notes' } }] },
  { text: `Summary: That is all.\n${text(300, 9)}` },
];

/** A session that runs in a browser which nobody debugs; delay is between two pieces of an answer, in milliseconds. */
async function running(delay) {
  const script = join(folder, 'hour.json');
  writeFileSync(script, JSON.stringify({ delay_ms: delay, chunk: 4, at_end: 'loop', steps: ANSWERS }));
  const provider = await start('provider', '--script', script, '--listen', '127.0.0.1:0');
  const config = join(folder, 'hour.config.json');
  writeFileSync(config, JSON.stringify({ model: { baseURL: provider.url, model: 'scripted', profile: 'llamacpp' }, mcpServers: { zimoos: { command: PROGRAM, args: ['sim'] } } }));
  const program = await start('serve', '--data', join(folder, 'hour'));
  const seen = countEvents(program.url);
  await seen.call('Create', { name: 'Hour', config });
  const bare = bareBrowser(CHROMIUM, ARGS, join(folder, 'profile'), program.url);
  await rest(SETTLE_MS);
  return {
    seen, bare,
    async turn() {
      await seen.call('Prompt', 'Look at the screen', []).catch(() => undefined);
      await seen.idle();
    },
    requests: async () => (await seen.call('Snapshot')).sessions.find((x) => x.name === 'Hour').requests,
    async end() {
      seen.stop();
      bare.end();
      await end(program.child);
      await end(provider.child);
    },
  };
}

/** An hour's events as fast as they come. */
async function stream() {
  const run = await running(1);
  const before = run.bare.resident();
  const from = Date.now();
  let peak = before;
  while (run.seen.count() < EVENTS) {
    await run.turn();
    peak = Math.max(peak, run.bare.resident());
  }
  const seconds = (Date.now() - from) / 1000;
  await rest(SETTLE_MS);
  const after = run.bare.resident();
  say('resident memory of the renderer after an hour of a running session', mb(after), { number: 400e6, text: '400 MB' }, `${run.seen.count()} events in ${Math.round(seconds)} s (an hour has 72,000 at 20 a second), ${await run.requests()} requests; ${mb(before).text} before, ${mb(peak).text} at its peak`);
  await run.end();
}

/** Events a second in the real hour, and how often it is looked at. */
const RATE = 20;
const MINUTE_MS = 60_000;

/** The hour itself. An answer's pieces come slowly enough for the rate, a turn waits until its events are due. */
async function hour() {
  const run = await running(Math.floor(1000 / RATE));
  const before = run.bare.resident();
  const from = Date.now();
  const length = HOUR * 60 * MINUTE_MS;
  const samples = [before];
  const look = setInterval(() => {
    samples.push(run.bare.resident());
    console.log(`minute ${samples.length - 1}: ${mb(samples.at(-1)).text}, ${run.seen.count()} events`);
  }, MINUTE_MS);
  while (Date.now() - from < length) {
    await run.turn();
    await rest(Math.max(0, (run.seen.count() / RATE) * 1000 - (Date.now() - from)));
  }
  clearInterval(look);
  const seconds = (Date.now() - from) / 1000;
  await rest(SETTLE_MS);
  const last = run.bare.resident();
  const most = Math.max(last, ...samples);
  say('resident memory of the renderer in a real hour of a running session, the most of all minutes', mb(most), { number: 400e6, text: '400 MB' }, `first ${mb(before).text}, last ${mb(last).text}; ${run.seen.count()} events in ${Math.round(seconds)} s, ${(run.seen.count() / seconds).toFixed(1)} a second, ${await run.requests()} requests`);
  await run.end();
}

const PARTS = { long, foreign, diff, body, stream };
/** Parts that run as long as what they measure: only when they are asked for. */
const LONG_PARTS = process.env.REAL ? { hour } : {};
try {
  const version = browser.version();
  console.log(`machine: ${cpus()[0].model}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Chromium ${version}, load ${readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 3).join(' ')}`);
  for (const name of ONLY) if (!(name in PARTS) && !(name in LONG_PARTS)) throw new Error(`there is no part ${name}${name === 'hour' ? ' without REAL=1' : ''}`);
  for (const [name, run] of Object.entries(PARTS)) if (ONLY.length === 0 || ONLY.includes(name)) await run();
  for (const [name, run] of Object.entries(LONG_PARTS)) if (ONLY.includes(name)) await run();
  console.log('\n| what | measured | target | |\n|---|---|---|---|');
  for (const r of results) console.log(`| ${r.what}${r.note ? ` (${r.note})` : ''} | ${r.value} | ${r.target} | ${r.held} |`);
} finally {
  await browser.close();
  for (const c of children) c.kill('SIGTERM');
}
