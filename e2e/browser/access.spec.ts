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

/** Holds a part of the page to have none, once it has come to rest. */
async function clean(w: Window, within: string, what: string): Promise<void> {
  await w.page.locator(within).first().waitFor();
  await expect.poll(() => findings(w, within), { message: what }).toEqual([]);
}

async function closed(w: Window): Promise<void> {
  await w.page.keyboard.press('Escape');
  await expect(w.page.locator('.dialog, .popover')).toHaveCount(0);
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
      await clean(w, 'body', 'first start');
      await w.demo();
      await clean(w, 'body', 'the demo');
      for (const tab of ['raw', 'response', 'mcp', 'proof', 'redlines', 'lab', 'e2e']) {
        await w.get(`tab-${tab}`).click();
        await expect(w.get(`tab-${tab}`)).toHaveAttribute('aria-selected', 'true');
        await clean(w, '.drawer', tab);
      }
      await w.get('tab-diff').click();
      await w.get('step').click();
      await w.prompt('Look at the screen');
      await expect(w.get('continue')).toBeVisible();
      await clean(w, 'body', 'a staged request');
      await w.get('abandon').click();
      await w.idle();
      await w.import(jsonl(folder, 'rewritten.jsonl', conversation('notes', 6, (n, m) => {
        if (n === 5) m[3] = { ...m[3], content: 'another text' };
      })));
      await expect(w.page.locator('.toolbar .session')).toContainText('rewritten');
      await w.select(5);
      await w.page.locator('[data-testid^=job-]').last().waitFor();
      await clean(w, 'body', 'another agent, rewritten');
    });

    test(`no serious finding in menus and dialogs, ${scheme}`, async ({ w }) => {
      await w.open();
      await w.demo();
      for (const menu of ['session-menu', 'breakpoints', 'more', 'compare']) {
        await w.get(menu).click();
        await clean(w, '.popover', menu);
        await closed(w);
      }
      await w.page.locator('.rows').focus();
      await w.page.keyboard.press('?');
      await clean(w, '.dialog', 'help');
      await closed(w);
      await w.page.keyboard.press('Control+k');
      await clean(w, '.dialog', 'palette');
      await closed(w);
      await w.page.locator('.tool-button').first().click();
      await clean(w, '.dialog', 'by hand');
      await closed(w);
      for (const [name, words] of DIALOGS) {
        await w.palette(words);
        await w.page.keyboard.press('Enter');
        await clean(w, '.dialog:not(.palette)', name);
        await closed(w);
      }
    });
  });
}
