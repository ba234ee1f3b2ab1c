// The window in a page, and words for what a person does there. No mistake on the page goes unseen: each test fails for
// an exception, an error in the console, or a breach of the content security policy.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base, type Locator, type Page } from '@playwright/test';
import { start, type Running } from './program';

/** Requests of the demo, those for a Summary included. */
const DEMO_REQUESTS = 15;

/** A file that stands on no disk. */
export interface FilePayload {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export class Window {
  readonly faults: string[] = [];
  /** console errors and refusals that the test brings about itself */
  readonly forgiven: RegExp[] = [];

  constructor(readonly page: Page, readonly folder: string) {
    page.on('pageerror', (e) => this.faults.push(e.message));
    // a refused request is told to the person, and that is looked at instead
    page.on('console', (m) => m.type() === 'error' && !m.text().startsWith('Failed to load resource') && this.faults.push(m.text()));
    page.on('dialog', (d) => {
      this.faults.push(`a dialog: ${d.message()}`);
      void d.dismiss();
    });
  }

  private program: Running | undefined;

  /** Starts `serve` on the store of this test and opens it. */
  async open(...args: string[]): Promise<void> {
    this.program = await start(['serve', '--data', join(this.folder, 'data'), ...args]);
    await this.page.addInitScript(() => {
      const breaches: string[] = [];
      const refusals: string[] = [];
      Object.assign(window, { breaches, refusals });
      addEventListener('securitypolicyviolation', (e) => breaches.push(`${e.violatedDirective} ${e.blockedURI}`));
      addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
        const said = document.querySelector('[data-testid=toast]:has(.glyph.bad)')?.textContent;
        if (said && !refusals.includes(said)) refusals.push(said);
      }).observe(document.body, { childList: true, subtree: true, characterData: true }));
    });
    await this.page.goto(this.program.url);
    await this.ready();
  }

  /** Waits until the page has its first data: before that no key and no button of it does anything. */
  async ready(): Promise<void> {
    await this.page.locator('main').first().waitFor();
  }

  get url(): string {
    return this.program?.url ?? '';
  }

  /** Plays the demo to its end. */
  async demo(): Promise<void> {
    await this.get('start-demo').click();
    await this.played();
  }

  /** Waits for the end of the demo. */
  async played(): Promise<void> {
    await expect.poll(() => this.rows(), { message: 'requests of the demo' }).toBe(DEMO_REQUESTS);
    await this.idle();
  }

  /** Waits until the program rests, and until the page knows it: a page that is behind still shows the rest before. */
  async idle(): Promise<void> {
    await expect.poll(async () => (await this.call<{ state: { phase: string } }>('Snapshot')).state.phase, { message: 'the program rests' }).toBe('idle');
    await expect(this.get('composer')).toBeVisible();
  }

  get(id: string): Locator {
    return this.page.getByTestId(id);
  }

  row(n: number): Locator {
    return this.get(`row-${n}`);
  }

  async rows(): Promise<number> {
    return this.page.evaluate(() => Number(document.querySelector('.rows[role=grid]')?.getAttribute('aria-rowcount') ?? 0));
  }

  async select(n: number): Promise<void> {
    await this.row(n).click();
    await expect(this.row(n)).toHaveAttribute('aria-selected', 'true');
    await expect(this.get('request-head').locator('.number')).toHaveText(`#${n}`);
  }

  async prompt(text: string): Promise<void> {
    await this.get('composer').fill(text);
    await this.get('send').click();
  }

  async more(words: RegExp): Promise<void> {
    await this.get('more').click();
    await this.page.locator('.popover .menu-item').filter({ hasText: words }).click();
    await expect(this.page.locator('.popover')).toHaveCount(0);
  }

  /** Imports files as a person chooses them. */
  async import(...files: string[] | FilePayload[]): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser');
    const first = this.get('first-import');
    if (await first.count()) await first.click();
    else {
      await this.palette('import');
      await this.page.keyboard.press('Enter');
    }
    await (await chooser).setFiles(files);
  }

  /** Writes into the palette; nothing is chosen yet. */
  async palette(words: string): Promise<void> {
    await this.page.keyboard.press('Control+k');
    await expect(this.get('palette')).toBeFocused();
    await this.get('palette').fill(words);
  }

  async openSession(name: string | RegExp): Promise<void> {
    await this.get('session-menu').click();
    await this.page.locator('.popover .session-item').filter({ hasText: name }).locator('.menu-item').first().click();
    await expect(this.page.locator('.toolbar .session')).toContainText(name);
  }

  /** What the page noted of itself since it was loaded: breaches of its policy, refusals at the foot. */
  async notes(): Promise<{ breaches: string[]; refusals: string[] }> {
    return this.page.evaluate(() => {
      const w = window as unknown as { breaches: string[]; refusals: string[] };
      return { breaches: w.breaches, refusals: w.refusals };
    });
  }

  /** Asks the program as the page does. */
  async call<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.page.evaluate(async ([m, a]) => {
      const answer = await fetch(`/api/${m as string}`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-ZimoScope-Token': sessionStorage.getItem('zimoscope.token') ?? '' }, body: JSON.stringify(a) });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json() as Promise<T>;
    }, [method, args] as const);
  }

  async close(): Promise<void> {
    await this.program?.end();
  }
}

interface Fixtures {
  folder: string;
  w: Window;
}

export const test = base.extend<Fixtures>({
  folder: async ({ browserName }, use) => {
    const folder = mkdtempSync(join(tmpdir(), `zimoscope-${browserName}-`));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  w: async ({ page, folder }, use) => {
    const w = new Window(page, folder);
    await use(w);
    const notes = await w.notes();
    await page.close();
    await w.close();
    const left = (list: string[]) => list.filter((f) => !w.forgiven.some((ok) => ok.test(f)));
    expect(left(w.faults), 'mistakes on the page').toEqual([]);
    expect(left(notes.refusals), 'refusals at the foot').toEqual([]);
    expect(notes.breaches, 'breaches of the content security policy').toEqual([]);
  },
});

export { expect };
