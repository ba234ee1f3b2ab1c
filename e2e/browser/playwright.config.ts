import { defineConfig } from '@playwright/test';

/** Milliseconds that one test may take, on a machine that does other work beside it. */
const TEST_MS = 90_000;
/** Milliseconds that one thing on the page may take to come. */
const PATIENCE_MS = 20_000;

// The system's Chromium: nothing is downloaded, and nothing but loopback is asked.
export default defineConfig({
  testDir: '.',
  outputDir: process.env.ZIMOSCOPE_ARTEFACTS ?? '../../build/artifacts/browser',
  timeout: TEST_MS,
  expect: { timeout: PATIENCE_MS },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  reporter: [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    acceptDownloads: true,
    actionTimeout: PATIENCE_MS,
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
});
