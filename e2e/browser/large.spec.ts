import { join } from 'node:path';
import { conversation, jsonl } from './support/files';
import { command } from './support/program';
import { expect, test } from './support/window';

const REQUESTS = 10_000;
/** Requests of one conversation. */
const EACH = 5;

interface Scrolled {
  seen: number;
  holes: number[];
  steps: number;
}

/** Scrolls to the end, a part of the view at a time, and after each painted frame looks whether a row stands at every height. */
function scrollThrough(part: number): Promise<Scrolled> {
  const box = document.querySelector<HTMLElement>('.rows');
  if (!box) throw new Error('there are no rows');
  const painted = () => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  const seen = new Set<string>();
  const holes: number[] = [];
  const look = () => {
    const r = box.getBoundingClientRect();
    for (let y = r.top + 30; y < r.bottom - 4; y += 20) {
      const at = document.elementFromPoint(r.left + 40, y)?.closest('.tl-line, .turn-holder');
      if (!at) holes.push(Math.round(box.scrollTop + y));
    }
    for (const row of box.querySelectorAll('.row')) seen.add(row.id);
  };
  return (async () => {
    let steps = 0;
    box.scrollTop = 0;
    await painted();
    look();
    for (let last = -1; box.scrollTop !== last; steps++) {
      last = box.scrollTop;
      box.scrollTop += box.clientHeight * part;
      await painted();
      look();
    }
    return { seen: seen.size, holes, steps };
  })();
}

test('ten thousand requests are scrolled through from end to end without an empty row', async ({ w, folder }) => {
  const bodies = Array.from({ length: REQUESTS / EACH }, (_, i) => conversation(`folder-${i}`, EACH)).flat();
  await command(['import', jsonl(folder, 'large.jsonl', bodies), '--session', 'Large', '--data', join(folder, 'data')]);
  await w.open();
  await w.get('first-run').getByRole('button', { name: 'Large' }).click();
  await expect.poll(() => w.rows()).toBe(REQUESTS);
  await expect(w.row(REQUESTS)).toBeVisible();
  const got = await w.page.evaluate(scrollThrough, 0.9);
  expect(got.holes).toEqual([]);
  expect(got.seen).toBe(REQUESTS);

  await w.page.keyboard.press('Control+k');
  await w.get('palette').fill('5003');
  await w.page.keyboard.press('Enter');
  await expect(w.get('request-head').locator('.number')).toHaveText('#5003');
  await expect(w.row(5003)).toBeInViewport();
  await w.get('filter').fill('n:7000..7002');
  await expect(w.page.locator('.tl-line .row')).toHaveCount(3);
});

test('a request of two thousand messages shows its end, and all before it on demand', async ({ w, folder }) => {
  const bodies = conversation('notes', 1000, undefined, 999);
  await w.open();
  await w.import(jsonl(folder, 'long.jsonl', bodies));
  await expect(w.row(2)).toBeVisible();
  const total = bodies[1].messages.length - 1;
  const pane = w.get('pane-history');
  await expect(pane).toContainText(`messages[1–${total}]`);
  await expect(pane).toContainText('Note 999 of notes');
  const home = () => expect(async () => {
    await pane.locator('.scroller').press('Home');
    await expect(w.get('history-before')).toBeInViewport({ timeout: 500 });
  }).toPass();
  await home();
  await expect(w.get('history-before')).toContainText(`${(total - 120).toLocaleString('en')} earlier messages`);
  await w.get('history-before').getByRole('button', { name: 'Show more' }).click();
  await expect(w.get(`message-${total - 119}`)).toBeInViewport(); // what was in view stays there
  await home();
  await expect(w.get('history-before')).toContainText(`${(total - 520).toLocaleString('en')} earlier messages`);
  await w.get('history-before').getByRole('button', { name: 'To the start' }).click();
  await expect(w.get('message-1')).toContainText('Tidy the folder notes');
  await expect(async () => {
    await pane.locator('.scroller').press('End');
    await expect(w.get('history-after')).toBeInViewport({ timeout: 500 });
  }).toPass();
  await expect(w.get('history-after')).toContainText('later messages');
  await w.get('history-after').getByRole('button', { name: 'To the end' }).click();
  await expect(w.get(`message-${total}`)).toContainText('Note 999 of notes');
});
