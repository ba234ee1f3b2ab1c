import { createRequire } from 'node:module';
import { conversation, jsonl } from './support/files';
import { expect, test, type Window } from './support/window';

const axe = (createRequire(__filename)('axe-core') as { source: string }).source;

interface Finding {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** Serious findings in a part of the page, in a line each. */
async function findings(w: Window, within: string): Promise<string[]> {
  if (!(await w.page.evaluate(() => 'axe' in window))) await w.page.evaluate(axe);
  const list = await w.page.evaluate(async (scope) => {
    const run = (window as unknown as { axe: { run(context: unknown, options: unknown): Promise<{ violations: Finding[] }> } }).axe.run;
    return (await run(scope, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })).violations;
  }, within);
  return list.filter((v) => v.impact === 'serious' || v.impact === 'critical').flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(' ')} ${n.failureSummary.replace(/\s+/g, ' ')}`));
}

async function palette(w: Window, words: string): Promise<void> {
  await w.page.keyboard.press('Control+k');
  await w.get('palette').fill(words);
  await w.page.keyboard.press('Enter');
}

const DIALOGS: [string, string][] = [
  ['settings', 'Settings'], ['compact', 'Compact'], ['export', 'Export'], ['compare', 'another session'], ['baseline', 'baseline'], ['rename', 'Rename'],
  ['delete', 'Delete'], ['trash', 'Recently deleted'], ['keys', 'Keys…'], ['new', 'New session'], ['proxy', 'Record'], ['search', 'Search all'],
];

for (const scheme of ['light', 'dark'] as const) {
  test.describe(scheme, () => {
    test.use({ colorScheme: scheme });

    test(`no serious finding on the screens, ${scheme}`, async ({ w, folder }) => {
      await w.open();
      expect(await findings(w, 'body'), 'first start').toEqual([]);
      await w.demo();
      expect(await findings(w, 'body'), 'the demo').toEqual([]);
      for (const tab of ['raw', 'response', 'mcp', 'proof', 'redlines', 'lab', 'e2e']) {
        await w.get(`tab-${tab}`).click();
        await w.page.waitForTimeout(100); // one pull and one frame
        expect(await findings(w, '.drawer'), tab).toEqual([]);
      }
      await w.get('tab-diff').click();
      await w.get('step').click();
      await w.prompt('Look at the screen');
      await expect(w.get('continue')).toBeVisible();
      expect(await findings(w, 'body'), 'a staged request').toEqual([]);
      await w.get('abandon').click();
      await expect(w.get('composer')).toBeVisible();
      await w.import(jsonl(folder, 'rewritten.jsonl', conversation('notes', 6, (n, m) => {
        if (n === 5) m[3] = { ...m[3], content: 'another text' };
      })));
      await expect(w.page.locator('.toolbar .session')).toContainText('rewritten');
      await w.select(5);
      await w.page.locator('[data-testid^=job-]').last().waitFor();
      expect(await findings(w, 'body'), 'another agent, rewritten').toEqual([]);
    });

    test(`no serious finding in menus and dialogs, ${scheme}`, async ({ w }) => {
      await w.open();
      await w.demo();
      for (const menu of ['session-menu', 'breakpoints', 'more', 'compare']) {
        await w.get(menu).click();
        await w.page.locator('.popover').waitFor();
        expect(await findings(w, '.popover'), menu).toEqual([]);
        await w.page.keyboard.press('Escape');
      }
      await w.page.locator('.rows').focus();
      await w.page.keyboard.press('?');
      expect(await findings(w, '.dialog'), 'help').toEqual([]);
      await w.page.keyboard.press('Escape');
      await w.page.keyboard.press('Control+k');
      expect(await findings(w, '.dialog'), 'palette').toEqual([]);
      await w.page.keyboard.press('Escape');
      await w.page.locator('.tool-button').first().click();
      expect(await findings(w, '.dialog'), 'by hand').toEqual([]);
      await w.page.keyboard.press('Escape');
      for (const [name, words] of DIALOGS) {
        await palette(w, words);
        await w.page.locator('.dialog:not(.palette)').waitFor();
        await w.page.waitForTimeout(60);
        expect(await findings(w, '.dialog'), name).toEqual([]);
        await w.page.keyboard.press('Escape');
      }
    });
  });
}
