// Pictures of the fixture in every size, theme and language: node scripts/shots.mjs OUT [name-filter]
// Needs Chromium (CHROMIUM=/path, default /usr/bin/chromium); nothing but loopback is asked.
import { mkdirSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { createServer } from 'vite';

const OUT = process.argv[2] ?? 'shots';
const ONLY = process.argv[3] ?? '';
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

const SHOTS = [
  ['main-dark-en', '', 1440, 900, 'dark', 'en'],
  ['main-light-zh', '', 1440, 900, 'light', 'zh'],
  ['violation-dark-en', 'violation', 1440, 900, 'dark', 'en', (p) => p.getByTestId('row-9').click()],
  ['violation-light-zh', 'violation', 1440, 900, 'light', 'zh', (p) => p.getByTestId('row-9').click()],
  ['stepper-light-en', 'stepper', 1440, 900, 'light', 'en', (p) => p.getByTestId('breakpoints').click()],
  ['windowed-dark-en', '', 1440, 900, 'dark', 'en', (p) => p.getByTestId('row-12').click()],
  ['small-dark-zh', '', 1024, 640, 'dark', 'zh'],
  ['small-light-en', 'violation', 1024, 640, 'light', 'en', async (p) => { await p.getByTestId('row-9').click(); await p.getByTestId('tab-diff').click(); }],
  ['mid-light-en', '', 1240, 800, 'light', 'en'],
  ['narrow-dark-en', '', 880, 700, 'dark', 'en'],
  ['large-dark-zh', '', 2560, 1440, 'dark', 'zh'],
  ['large-light-en', '', 2560, 1440, 'light', 'en'],
  ['first-light-zh', 'first', 1440, 900, 'light', 'zh'],
  ['first-dark-en', 'first', 1024, 640, 'dark', 'en'],
  ['raw-dark-en', '', 1440, 900, 'dark', 'en', (p) => p.getByTestId('tab-raw').click()],
  ['response-light-en', '', 1440, 900, 'light', 'en', (p) => p.getByTestId('tab-response').click()],
  ['mcp-dark-en', '', 1440, 900, 'dark', 'en', async (p) => { await p.getByTestId('tab-mcp').click(); await p.locator('.traffic').nth(3).click(); }],
  ['proof-light-zh', '', 1440, 900, 'light', 'zh', (p) => p.getByTestId('tab-proof').click()],
  ['redlines-dark-zh', 'violation', 1440, 900, 'dark', 'zh', (p) => p.getByTestId('tab-redlines').click()],
  ['help-dark-en', '', 1440, 900, 'dark', 'en', (p) => p.keyboard.press('?')],
  ['help-light-zh', '', 1440, 900, 'light', 'zh', (p) => p.keyboard.press('?')],
  ['palette-light-en', '', 1440, 900, 'light', 'en', (p) => p.keyboard.press('Control+k')],
  ['session-dark-en', '', 1440, 900, 'dark', 'en', (p) => p.getByTestId('session-menu').click()],
  ['compare-light-zh', '', 1440, 900, 'light', 'zh', (p) => p.getByTestId('compare').click()],
  ['hand-dark-en', 'readyforhand', 1440, 900, 'dark', 'en', (p) => p.locator('.tool-button').nth(1).click()],
  ['down-dark-en', 'down', 1440, 900, 'dark', 'en'],
  ['readonly-light-zh', 'readonly', 1440, 900, 'light', 'zh'],
  ['hostile-dark-en', 'hostile', 1440, 900, 'dark', 'en'],
  ['big-light-en', 'big', 1440, 900, 'light', 'en'],
];

mkdirSync(OUT, { recursive: true });
const server = await createServer({ server: { port: 0, host: '127.0.0.1' }, logLevel: 'error' });
await server.listen();
const base = server.resolvedUrls.local[0];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS });
for (const [name, variant, width, height, theme, lang, act] of SHOTS) {
  if (!name.includes(ONLY)) continue;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, locale: lang === 'zh' ? 'zh-CN' : 'en-US', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.on('console', (m) => m.type() === 'error' && console.log(name, m.text()));
  page.on('pageerror', (e) => console.log(name, e.message));
  await page.goto(`${base}?fixture=${variant}`);
  await page.getByTestId('statusbar').waitFor();
  await page.waitForTimeout(variant === '' ? 2200 : 500);
  if (act) await act(page);
  await page.waitForTimeout(350);
  await page.screenshot({ path: `${OUT}/${name}.png` });
  await context.close();
}
await browser.close();
await server.close();
