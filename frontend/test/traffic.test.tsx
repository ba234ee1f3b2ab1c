import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job, LabRow } from '../src/api/types.gen';
import { fixture } from '../src/dev/fixture';
import { labOf } from '../src/dev/labdata';
import { groups, laneOf, proofWord } from '../src/model/foreign';
import { accept } from '../src/model/inbox';
import { progress, shown } from '../src/model/jobs';
import { best, bucketed, chartOf, csv, price } from '../src/model/lab';
import { lines, stickyTurn, offsets } from '../src/model/timeline';
import { bringIn, exportSession, pullAgain, service, setTab, show, start } from '../src/state/actions';
import { get, INITIAL, set } from '../src/state/store';
import { App } from '../src/ui/App';
import { LabPriceForm } from '../src/ui/drawer/LabPriceForm';
import { ForeignMessage } from '../src/ui/panes/ForeignMessage';
import { row } from './rows';

beforeEach(() => {
  window.localStorage.clear();
  set(INITIAL, true);
});
afterEach(cleanup);

async function open(variant = 'agent') {
  render(<App />);
  const backend = fixture(variant);
  await act(async () => start(backend));
  await waitFor(() => expect(get().view).not.toBeNull());
  set({ prefs: { ...get().prefs, lang: 'en' } });
  return backend;
}

const job = (change: Partial<Job>): Job => ({ id: 1, kind: 'import', name: 'a.har', state: 'running', file: '', bytes: 0, total: 0, requests: 0, format: '', notes: [], error: '', session: '', opened: false, path: '', download: '', ...change });

describe('conversations', () => {
  it('are offered largest first up to a few, by their number, and what is not compared last', () => {
    const rows = [...'1223334444'].map((c, i) => row({ n: i + 1, thread: `c${c}` })).concat(row({ n: 11, kind: 'other' }));
    expect(groups(rows).map((g) => [g.filter, g.count])).toEqual([['thread:c1', 1], ['thread:c2', 2], ['thread:c3', 3], ['thread:c4', 4], ['kind:other', 1]]);
    expect(groups([row({ thread: 'c1' })])).toEqual([]);
    expect([laneOf('c1'), laneOf('c7'), laneOf('')]).toEqual([1, 1, 0]);
  });

  it('interleave under one head for each turn, and the head that sticks is that of the first visible row', () => {
    const turns = [{ number: 1, request: 1, prompt: 'a' }, { number: 2, request: 2, prompt: 'b' }];
    const rows = [row({ n: 1, turn: 1 }), row({ n: 2, turn: 2 }), row({ n: 3, turn: 1 })];
    const list = lines({ session: 's', rev: 1, rows, turns, redlines: [], figures: {} as never }, () => true);
    expect(list.map((l) => (l.type === 'turn' ? `t${l.turn.number}` : `#${l.row.n}`))).toEqual(['t1', '#1', 't2', '#2', '#3']);
    expect(stickyTurn(list, offsets(list), offsets(list)[4])?.number).toBe(1);
  });
});

describe('another agent’s session', () => {
  it('shows messages block by block, failed results, encrypted reasoning and claimed parts in words', async () => {
    await open();
    await act(async () => void fireEvent.click(screen.getByTestId('row-2')));
    await waitFor(() => expect(get().view?.row.n).toBe(2));
    const { container } = render(<>{get().view?.messages.map((m) => <ForeignMessage key={m.index} message={m} />)}</>);
    const history = container.textContent ?? '';
    for (const words of ['What is in a.txt?', 'Image image/png, 18.2 kB', 'I read the file first.', 'Result of read_file', 'failed', 'claimed']) expect(history).toContain(words);
    expect(screen.getByTestId('about').textContent).toContain('Claimed, not recomputable');
    expect(proofWord(get().view as never)).toBe('claimed');
    await act(async () => setTab('proof'));
    expect(screen.getByTestId('proof').textContent).toContain('Partly claimed');
  });

  it('can’t be run or written to, and says why', async () => {
    await open();
    expect(screen.queryByTestId('run')).toBeNull();
    expect(screen.getByTestId('composer-off').textContent).toContain('Another agent’s traffic');
    expect(screen.getByTestId('recording').textContent).toContain('http://127.0.0.1:40817');
  });

  it('lists what is not compared with its path and status, and opens its sheet', async () => {
    await open();
    const other = screen.getByTestId('row-4');
    expect(other.textContent).toContain('POST /v1/messages/count_tokens');
    await act(async () => void fireEvent.click(other));
    await waitFor(() => expect(screen.getByTestId('other').textContent).toContain('not compared'));
  });

  it('shows what the bytes show in plain words', async () => {
    await open();
    await waitFor(() => expect(screen.getByTestId('inference-time-in-system').textContent).toContain('A date or time in the system text moved on'));
  });
});

describe('files', () => {
  it('are sent one after the other under one upload, told as they go, and imported', async () => {
    const backend = await open('');
    const sent: string[] = [];
    const told: number[] = [];
    backend.send = async (id, file, onSent) => {
      sent.push(`${id.length > 8} ${file.name}`);
      onSent(2);
      told.push(get().uploads[0].sent);
    };
    const imported = vi.spyOn(service(), 'importUpload');
    await act(async () => void (await bringIn([new File(['abc'], 'a.har'), new File(['def'], 'b.har')])));
    expect(sent).toEqual(['true a.har', 'true b.har']);
    expect(told).toEqual([2, 5]);
    expect(imported).toHaveBeenCalledTimes(1);
    expect(get().uploads).toEqual([]);
  });

  it('are given up when one can’t be sent, and the refusal is told', async () => {
    const backend = await open('');
    backend.send = async () => {
      throw new Error('The disk is full.');
    };
    const dropped = vi.spyOn(service(), 'dropUpload');
    await act(async () => void (await bringIn([new File(['x'], 'a.har')])));
    expect(dropped).toHaveBeenCalledTimes(1);
    expect(get().toast?.text).toBe('The disk is full.');
  });

  it('that were dropped anywhere on the window are brought in', async () => {
    const backend = await open('');
    const send = vi.fn(async () => undefined);
    backend.send = send;
    const files = [new File(['x'], 'dropped.jsonl')];
    const drop = new Event('drop', { cancelable: true });
    Object.assign(drop, { dataTransfer: { types: ['Files'], files } });
    await act(async () => void window.dispatchEvent(drop));
    await waitFor(() => expect(send).toHaveBeenCalledTimes(1));
    expect(drop.defaultPrevented).toBe(true);
  });

  it('of an export that this page ordered are fetched once', async () => {
    const backend = await open('');
    const fetched = vi.spyOn(backend, 'download');
    await act(async () => void (await exportSession({ session: 's1', format: 'har', request: 0 })));
    vi.spyOn(service(), 'jobs').mockResolvedValue([job({ id: 2, kind: 'export', state: 'done', download: '/download/t/x' })]);
    await act(async () => pullAgain());
    await waitFor(() => expect(fetched).toHaveBeenCalledWith('/download/t/x'));
    await act(async () => pullAgain());
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('have a line with progress, cancel and notes', async () => {
    await open('');
    const cancel = vi.spyOn(service(), 'cancelJob');
    await act(async () => set({ jobs: [job({ id: 7, bytes: 50, total: 200, requests: 3 }), job({ id: 8, state: 'done', requests: 6, notes: ['line 7 is no JSON'], session: 's2' })] }));
    expect(screen.getByTestId('job-7').querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')).toBe('25');
    await act(async () => void fireEvent.click(screen.getByTestId('job-7-cancel')));
    expect(cancel).toHaveBeenCalledWith(7);
    await act(async () => void fireEvent.click(screen.getByText('1 note')));
    expect(screen.getByTestId('job-8').textContent).toContain('line 7 is no JSON');
    expect([progress(1, 0), progress(5, 4)]).toEqual([null, 100]);
    expect(shown([job({ kind: 'export', state: 'done' }), job({ kind: 'export', state: 'failed' })]).length).toBe(1);
  });
});

describe('events', () => {
  it('about what no snapshot includes count also when a snapshot was pulled since', () => {
    const watch = { session: 's', n: 1, base: null };
    const late = (topic: string) => accept(9, 9, { seq: 5, topic, id: '', rev: 1 }, watch).stale;
    expect([late('e2e'), late('jobs'), late('lab'), late('state')]).toEqual([['e2e'], ['jobs'], ['lab'], []]);
  });
});

describe('panels', () => {
  it('start a proxy, and then say how to use it', async () => {
    await open('');
    await act(async () => show({ kind: 'proxy' }));
    fireEvent.change(document.getElementById('proxy-upstream') as HTMLElement, { target: { value: 'https://api.example.test/v1' } });
    await act(async () => void fireEvent.click(screen.getByTestId('proxy-start')));
    await waitFor(() => expect(document.querySelector('.dialog')?.textContent).toContain('export ANTHROPIC_BASE_URL=http://127.0.0.1:40817'));
  });

  it('compare two sessions and name where they part', async () => {
    await open('');
    await act(async () => show({ kind: 'compare', session: 's1' }));
    await waitFor(() => expect(screen.getByTestId('first-divergence').textContent).toContain('differs'));
    expect(document.querySelector('.dialog')?.textContent).toContain('$.messages[3].content');
  });

  it('show the end-to-end run with evidence and what to do about what is missing', async () => {
    await open('');
    await act(async () => setTab('e2e'));
    await waitFor(() => expect(screen.getByTestId('step-hub').textContent).toContain('Start the mteam backend'));
    expect(screen.getByTestId('e2e-outcome').textContent).toContain('requires mteam backend');
    expect(screen.getByTestId('backend-light').getAttribute('title')).toContain('does not answer');
  });

  it('ask the cache lab with other prices', async () => {
    await open('');
    await act(async () => setTab('lab'));
    await act(async () => void fireEvent.click(screen.getByTestId('lab-run')));
    await waitFor(() => screen.getByTestId('lab-table'));
    const asked = vi.spyOn(service(), 'startLab');
    await act(async () => void fireEvent.click(screen.getByTestId('lab-prices')));
    const field = document.querySelector('.price-form input') as HTMLInputElement;
    fireEvent.change(field, { target: { value: 'x' } });
    expect((screen.getByTestId('lab-apply') as HTMLButtonElement).disabled).toBe(true);
    fireEvent.change(field, { target: { value: '9.5' } });
    await act(async () => void fireEvent.click(screen.getByTestId('lab-apply')));
    expect(asked.mock.calls[0][0].prices.classes[0].uncached).toBe(9.5);
  });
});

describe('a file of the desktop over the real window', () => {
  const over = (name: string, types: string[]) => Object.assign(new Event(name, { cancelable: true }), { dataTransfer: { types, files: [] } });

  it('comes as an address and is kept from taking the place of the page', async () => {
    const backend = await open();
    backend.send = null; // the window's shell takes files itself
    const held = over('dragover', ['text/uri-list', 'text/html']);
    await act(async () => void window.dispatchEvent(over('dragenter', ['text/uri-list'])));
    await act(async () => void window.dispatchEvent(held));
    expect(document.querySelector('.drop-zone')).not.toBeNull();
    const drop = over('drop', ['text/uri-list']);
    await act(async () => void window.dispatchEvent(drop));
    expect([held.defaultPrevented, drop.defaultPrevented, document.querySelector('.drop-zone')]).toEqual([true, true, null]);
  });

  it('is not what a link dragged in a browser is taken for', async () => {
    const backend = await open();
    backend.send = async () => undefined;
    const held = over('dragover', ['text/uri-list']);
    window.dispatchEvent(held);
    expect(held.defaultPrevented).toBe(false);
  });
});

describe('the lab’s prices', () => {
  const prices = { currency: 'USD', classes: [{ class: 'deepseek', uncached: 9, read: 1, written: 2 }] };
  const builtIn = { currency: 'USD', classes: [{ class: 'deepseek', uncached: 0.15, read: 0.003, written: 0.15 }] };

  it('go back to the built-in ones, and the time to each kind’s own', () => {
    set({ prefs: { ...get().prefs, lang: 'en' } });
    const done = vi.fn();
    render(<LabPriceForm prices={prices} builtIn={builtIn} idle={120} onDone={done} />);
    fireEvent.click(screen.getByTestId('lab-reset'));
    expect((screen.getByTestId('lab-reset') as HTMLButtonElement).disabled).toBe(true);
    fireEvent.click(screen.getByTestId('lab-apply'));
    expect(done).toHaveBeenCalledWith(builtIn, 0);
  });

  it('that could not be kept are said to be forgotten', async () => {
    await open();
    set({ lab: { ...labOf([row({ n: 1 })]), unkept: 'these prices hold until the program ends, they could not be kept: disk' }, prefs: { ...get().prefs, lang: 'zh' } });
    await act(async () => setTab('lab'));
    await waitFor(() => expect(screen.getByText(/这些价格只在程序结束前有效，无法保存：disk/)).toBeTruthy());
  });
});

describe('the lab’s figures', () => {
  const lab = labOf([row({ n: 1 }), row({ n: 2 })]);

  it('find the cheapest strategy by money where there is a price, else by tokens', () => {
    if (!lab.result) throw new Error('no result');
    expect(best(lab.result, 'token')).toBe('as-recorded');
    expect(best(lab.result, 'anthropic-5m')).toBe('mark-last-sealed');
    expect(csv(lab.result, 'USD').split('\n').length).toBe(1 + 6 * 5 + 1);
  });

  it('leave a gap where nothing is predicted, and gather what is known alone', () => {
    const some = (n: number, reuse: number[]): LabRow => ({ n, prompt: reuse.length > 0 ? 100 : 0, reuse, elsewhere: reuse.length === 0, said: true, reported: 40, total: 80, marked: false });
    const rows = [some(1, [50]), some(2, []), some(3, [100])];
    const shape = chartOf(rows, 0, 300, 100);
    expect([shape.line, shape.gaps]).toEqual(['M0 50H100M200 0H300', [{ x: 100, width: 100, n: 2 }]]);
    expect(shape.dots.map((d) => [d.n, d.y])).toEqual([[1, 50], [2, 50], [3, 50]]);
    expect(bucketed(rows, 1)).toEqual([{ n: 1, prompt: 200, reuse: [150], elsewhere: false, said: true, reported: 120, total: 240, marked: false }]);
    expect(bucketed([some(1, []), some(2, []), some(3, [9]), some(4, [])], 2).map((r) => [r.elsewhere, r.reuse])).toEqual([[true, []], [false, [9]]]);
  });

  it.each([['en', /Nothing is predicted for 2 requests: they go on from responses that their provider keeps/], ['zh', /有 2 个请求不作预测：它们接续提供方保存的应答/]] as const)('show no zero and no winner where nothing is predicted, and say why (%s)', async (lang, words) => {
    await open();
    const made = labOf([row({ n: 1 }), row({ n: 2 })]);
    if (!made.result) throw new Error('no result');
    const cells = made.result.cells.map((c) => ({ ...c, prompt: 0, reused: 0, written: 0, cost: 0 }));
    const rows = made.result.rows.map((r) => ({ ...r, prompt: 0, reuse: [], elsewhere: true }));
    expect(best({ ...made.result, cells }, 'token')).toBe('');
    set({ lab: { ...made, session: get().snapshot?.current ?? '', result: { ...made.result, cells, rows, elsewhere: 2 } }, prefs: { ...get().prefs, lang } });
    await act(async () => setTab('lab'));
    await waitFor(() => expect(screen.getByTestId('lab-elsewhere').textContent).toMatch(words));
    const data = [...screen.getByTestId('lab-table').querySelectorAll('td')].map((td) => td.textContent ?? '');
    expect(data.length).toBe(30);
    for (const text of data) expect(text).toMatch(/^–\D+$/);
    expect(document.querySelectorAll('.lab-chart rect.gap').length).toBe(2);
    expect([...document.querySelectorAll('.money-row .t2')].map((e) => e.textContent)).toEqual(Array(6).fill('–'));
  });

  it('draw reported dots, never a zero for what was not reported, and keep marks when gathered', () => {
    const rows: LabRow[] = [{ n: 1, prompt: 100, reuse: [0], elsewhere: false, said: true, reported: 0, total: 100, marked: false }, { n: 2, prompt: 100, reuse: [90], elsewhere: false, said: false, reported: 0, total: 0, marked: false }, { n: 3, prompt: 100, reuse: [90], elsewhere: false, said: true, reported: 50, total: 100, marked: true }];
    const shape = chartOf(rows, 0, 300, 100);
    expect(shape.dots.map((d) => [d.n, d.y])).toEqual([[1, 100], [3, 50]]);
    expect(shape.silent.map((d) => d.n)).toEqual([2]);
    expect(bucketed(rows, 1)).toEqual([{ n: 1, prompt: 300, reuse: [180], elsewhere: false, said: true, reported: 50, total: 200, marked: true }]);
    expect(shape.gaps).toEqual([]);
    expect([price('1,5'), price('-1'), price('x'), price('')]).toEqual([1.5, null, null, null]);
  });
});
