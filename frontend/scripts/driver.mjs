// What the scripts that drive the built program share: starting it, a page on it, and words for what a person does there.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';

export const [PROGRAM, OUT = 'shots'] = process.argv.slice(2);
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
/** Milliseconds that one thing on the page may take to come. */
export const PATIENCE = 20_000;

export const folder = mkdtempSync(join(tmpdir(), 'zimoscope-drive-'));
export const children = [];

/** Starts the program and gives the address it prints. */
export async function start(...args) {
  const child = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ZIMOSCOPE_DEMO_FAST: '1', OPENAI_API_KEY: '' } });
  children.push(child);
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    const found = /https?:\/\/\S+/.exec(text);
    if (found) return { child, url: found[0] };
  }
  throw new Error(`${args[0]} ended without an address: ${text}`);
}

export async function end(child) {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** A configuration that runs on the scripted provider and the simulator, as on any other. */
export function configure(address) {
  const path = join(folder, 'own.json');
  writeFileSync(path, JSON.stringify({ model: { baseURL: address, model: 'scripted-demo', profile: 'llamacpp' }, mcpServers: { zimoos: { command: PROGRAM, args: ['sim'] } } }));
  return path;
}

export class Driver {
  constructor(page, theme, lang) {
    Object.assign(this, { page, name: `${theme}-${lang}` });
  }
  get(id) {
    return this.page.getByTestId(id);
  }
  async shot(what) {
    await this.page.waitForTimeout(250);
    await this.page.screenshot({ path: join(OUT, `drive-${what}-${this.name}.png`) });
  }
  async idle() {
    await this.get('composer').waitFor({ timeout: PATIENCE });
  }
  async prompt(text) {
    await this.get('composer').fill(text);
    await this.get('send').click();
  }
  async rows() {
    return Number(await this.page.locator('.rows[role=grid]').getAttribute('aria-rowcount'));
  }
  async menu() {
    await this.get('session-menu').click();
    await this.page.locator('.popover').waitFor();
  }
  async escape() {
    await this.page.keyboard.press('Escape');
  }
}

/** Opens the program in a page of one look and size, does the steps, and lets no mistake on the page pass. */
async function inLook(browser, [theme, lang, width, height], steps) {
  const program = await start('serve', '--data', join(folder, `${theme}-${lang}`));
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, locale: lang === 'zh' ? 'zh-CN' : 'en-US', reducedMotion: 'reduce', acceptDownloads: true });
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (e) => faults.push(e.message));
  // A refusal at the foot that nobody asked for is a mistake too; the failed provider is told elsewhere.
  await page.addInitScript(() => {
    window.refusals = [];
    addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
      const said = document.querySelector('[data-testid=toast]:has(.glyph.bad)')?.textContent;
      if (said && !window.refusals.includes(said)) window.refusals.push(said);
    }).observe(document.body, { childList: true, subtree: true, characterData: true }));
  });
  await page.goto(program.url);
  await page.evaluate(([l, th]) => localStorage.setItem('zimoscope.prefs', JSON.stringify({ lang: l, theme: th })), [lang, theme]);
  await page.reload();
  await steps(new Driver(page, theme, lang), program);
  assert.deepEqual(faults, [], 'no mistake on the page');
  assert.deepEqual(await page.evaluate(() => window.refusals), [], 'no refusal at the foot');
  await context.close();
  await end(program.child);
  console.log(`${theme} ${lang} ${width}×${height}: everything did what its button says`);
}

/** Both looks and languages, large and as small as the window goes. */
const LOOKS = [['dark', 'en', 1440, 900], ['light', 'zh', 1440, 900], ['light', 'en', 1024, 640], ['dark', 'zh', 1024, 640]];

export async function drive(steps) {
  mkdirSync(OUT, { recursive: true });
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS });
  try {
    for (const look of LOOKS) await inLook(browser, look, steps);
  } finally {
    await browser.close();
    for (const c of children) c.kill('SIGTERM');
  }
}
