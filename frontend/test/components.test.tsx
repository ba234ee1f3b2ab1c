import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HunkLine, MessageView, Rung } from '../src/api/types.gen';
import { drawLadder } from '../src/model/ladder';
import { refine } from '../src/model/rungs';
import { INITIAL, set } from '../src/state/store';
import { HunkLineView } from '../src/ui/drawer/Hunks';
import { Ladder } from '../src/ui/drawer/Ladder';
import { FrameCard } from '../src/ui/panes/FrameCard';
import { OperationCard } from '../src/ui/panes/OperationCard';
import { TimelineRow } from '../src/ui/TimelineRow';
import { row } from './rows';

const HOSTILE = '<img src=x onerror=alert(1)></script>';

beforeEach(() => set({ ...INITIAL, prefs: { ...INITIAL.prefs, lang: 'en' } }));
afterEach(cleanup);

function message(change: Partial<MessageView>, state = 'sealed', source = 'narration'): MessageView {
  return {
    kind: 'message', index: 5, name: '', server: '', text: '', whole: true, bytes: 200, offset: 0, leaf: 'ab'.repeat(32), link: 'cd'.repeat(32), changed: '', claimed: false, role: 'tool',
    calls: [], images: 0, pictures: [], blocks: [],
    record: { tool: 'zimoos.act', arguments: '{"cmd":"open app:notes"}', outcome: 'ok', result: '', audit: 'frameCursor=c2', summary: `Opened ${HOSTILE}`, state, source, grown: 41 },
    ...change,
  };
}

describe('operation card', () => {
  it('folds an old sealed record to its command, outcome and Summary, and opens', () => {
    render(<OperationCard message={message({})} />);
    const card = screen.getByRole('button', { expanded: false });
    expect(card.textContent).toContain('zimoos.act open app:notes');
    fireEvent.click(card);
    expect(screen.getByText('frameCursor=c2')).toBeTruthy();
  });

  it('stands open with its growth when it was just sealed', () => {
    render(<OperationCard message={message({ changed: 'grew' }, 'just-sealed')} />);
    expect(screen.getByTestId('card-just-sealed').textContent).toContain('+41 B');
  });

  it('says of a pending record that its Summary is not written, rather than showing none', () => {
    render(<OperationCard message={message({ changed: 'new' }, 'pending')} />);
    expect(screen.getByTestId('card-pending').textContent).toContain('Not written yet');
  });

  it('shows a rewritten record with the words it had', () => {
    render(<OperationCard message={message({ changed: 'changed' })} was="the old words" />);
    const card = screen.getByTestId('card-rewritten');
    expect(within(card).getByText('the old words').className).toBe('was');
  });

  it('never passes a derived Summary off as the model’s words', () => {
    render(<OperationCard message={message({}, 'sealed', 'derived')} />);
    expect(screen.getByRole('button').textContent).toContain('(derived)');
  });

  it('draws hostile words as text', () => {
    const { container } = render(<OperationCard message={message({})} />);
    expect(container.querySelector('img, script')).toBeNull();
    expect(container.textContent).toContain(HOSTILE);
  });
});

const rung = (state: string, more: Partial<Rung> = {}): Rung => ({ kind: 'message', index: 1, count: 1, role: 'tool', name: '', state, baseLink: 'a'.repeat(64), nextLink: 'b'.repeat(64), delta: 41, claimed: false, ...more });

describe('ladder', () => {
  const sealed = [rung('equal', { count: 24 }), rung('equal', { index: 12 }), rung('grew', { index: 13 }), rung('new', { index: 14, baseLink: '' }), rung('request-only', { index: 15 }), rung('rest-equal', { kind: 'rest' })];

  it('tints the first difference alone, and folds equal rungs with their number', () => {
    render(<Ladder rungs={sealed} base={{ session: 's', n: 1 }} next={{ session: 's', n: 2 }} foreign={false} violation={false} claimed={false} />);
    expect(screen.getByTestId('first-difference').textContent).toContain('messages[13]');
    expect(screen.getByText('24 rungs equal')).toBeTruthy();
    expect(screen.getByText('grew by 41 B at its end')).toBeTruthy();
  });

  it('lets new parts stand on the right rail only, and the carrier without a rung', () => {
    const d = drawLadder(sealed);
    expect(d[3].nodes).toEqual({ left: 'none', right: 'new' });
    expect(d[3].left).toEqual({ above: 'none', below: 'none' });
    expect(d[4]).toMatchObject({ join: 'none', nodes: { left: 'hollow', right: 'hollow' }, right: { above: 'new' } });
    expect(d[5].beside).toBe(true);
  });

  it('dots rails and rungs below a break', () => {
    const d = drawLadder([rung('equal'), rung('changed', { index: 2 }), rung('same-bytes', { index: 3 }), rung('same-bytes', { index: 4 }), rung('new', { index: 5 })]);
    expect(d[0].left.below).toBe('solid');
    expect(d[1].join).toBe('broken');
    expect(d[1].left.below).toBe('dotted-bad');
    expect(d[2].left.below).toBe('dotted');
    expect(d[2].join).toBe('dotted');
    expect(d.filter((x) => x.first)).toHaveLength(1);
  });
});

describe('hunk line', () => {
  const line = (change: Partial<HunkLine>): HunkLine => ({ sign: '+', old: 0, new: 4, text: 'Summary: pinned', spans: [], ...change });

  it('marks changed words and shows whole text', () => {
    const { container } = render(<HunkLineView row={{ type: 'line', line: line({ spans: [{ from: 9, to: 15 }] }), fresh: false }} />);
    expect(container.querySelector('mark')?.textContent).toBe('pinned');
    expect(container.querySelector('.text')?.textContent).toBe('Summary: pinned');
    expect(container.querySelector('.plus')).toBeTruthy();
  });

  it('names characters that would disguise a text', () => {
    const { container } = render(<HunkLineView row={{ type: 'line', line: line({ text: `${HOSTILE}\u202e` }), fresh: true }} />);
    expect(container.querySelector('.text')?.textContent).toBe(`${HOSTILE}⟦U+202E⟧`);
  });
});

describe('timeline row', () => {
  const draw = (change: Parameters<typeof row>[0]) => render(<TimelineRow row={row(change)} index={0} largest={100} selected={false} base={false} lane={false} />).container;

  it('writes "not reported" and "waiting" as words, never 0', () => {
    const none = { reported: false, prompt: 0, cached: 0, cachedSaid: false, completion: 0 };
    expect(draw({ usage: none }).querySelector('.tokens')?.textContent).toBe('not reported');
    expect(draw({ usage: none, status: 'receiving' }).querySelector('.tokens')?.textContent).toBe('waiting');
    expect(draw({ usage: { ...none, reported: true, prompt: 30 } }).querySelector('.tokens')?.textContent).toBe('– / 30');
  });

  it('says a violation by word, shape and lost bytes', () => {
    const c = draw({ verdict: 'rewritten', planned: false, lost: 2224 });
    expect(c.querySelector('.verdict')?.textContent).toBe('rewritten');
    expect(c.querySelector('.row')?.className).toContain('violation');
    expect(c.querySelector('.fresh')?.textContent).toBe('2,224 B lost');
  });
});

describe('frame card', () => {
  it('never cuts silently: it says what is hidden and opens it, and what the block left out', () => {
    const items = Array.from({ length: 12 }, (_, i) => `[n-${i}] note: Note ${i}`);
    render(<FrameCard claimed={false} notices="" frame={{ title: HOSTILE, cursor: 'c1', status: 'idle', summary: '', updatedAt: '', breadcrumb: [], budget: '', lists: [{ name: 'visibleContent', total: 20, leftOut: 8, items }] }} />);
    expect(screen.queryByText('Note 11')).toBeNull();
    fireEvent.click(screen.getByText('Show 8 more'));
    expect(screen.getByText('Note 11')).toBeTruthy();
    expect(screen.getByText(/8 more stood in the frame/)).toBeTruthy();
    expect(screen.getByRole('heading').textContent).toBe(HOSTILE);
  });
});

describe('rungs for reading', () => {
  const part = (kind: string, index: number, role = '') => ({ kind, index, role, name: '', link: `${kind}${index}`, bytes: 10 + index });
  const view = { tools: [part('tool', 0), part('tool', 1)], system: { ...part('message', 0), role: undefined }, messages: [part('message', 1, 'user'), part('message', 2, 'assistant'), part('message', 3, 'tool')] } as unknown as Parameters<typeof refine>[1];
  const raw = [rung('equal', { kind: 'model', index: 0 }), rung('equal', { kind: 'tool', index: 0, count: 2 }), rung('equal', { index: 0, count: 2 }), rung('request-only', { index: 2, nextLink: '' }), rung('new', { index: 2, count: 2, baseLink: '' }), rung('request-only', { index: 4, baseLink: '' }), rung('rest-equal', { kind: 'rest' })];

  it('fold all that is equal but the last part, stand new parts alone, and put both carriers on one rung', () => {
    const got = refine(raw, view);
    expect(got.map((r) => [r.state, r.kind, r.index + r.count - 1, r.count])).toEqual([
      ['equal', 'message', 0, 4], ['equal', 'message', 1, 1], ['new', 'message', 2, 1], ['new', 'message', 3, 1], ['request-only', 'message', 4, 1], ['rest-equal', 'rest', 1, 1],
    ]);
    expect(got[2]).toMatchObject({ role: 'assistant', nextLink: 'message2', delta: 12 });
    expect(got[4].baseLink).not.toBe('');
    expect(got[4].nextLink).not.toBe('');
  });

  it('stay folded where the parts are not at hand', () => {
    expect(refine(raw, null).map((r) => r.count)).toEqual([5, 2, 1, 1]);
  });
});
