import { describe, expect, it } from 'vitest';
import type { MessageView, RequestView } from '../src/api/types.gen';
import { entries, joined, kept, shared, span } from '../src/model/history';

const message = (index: number) => ({ index, leaf: `leaf${index}`, role: 'user', changed: '' }) as MessageView;
const messages = (from: number, count: number) => Array.from({ length: count }, (_, i) => message(from + i));

/** Request n with a history of 1000 messages, from messages[1] on, of which some are here. */
function view(from: number, count: number, hidden: RequestView['hidden'] = []): RequestView {
  return { row: { n: 7, staged: false, proof: 'proved' }, system: { leaf: 's' }, hidden, messages: messages(from + 1, count), history: { from, total: 1000, index: 1, bytes: 5 } } as unknown as RequestView;
}

describe('a long history', () => {
  it('says what is not here, on both sides', () => {
    const list = entries(view(300, 100));
    expect(list[0]).toEqual({ type: 'more', side: 'before', count: 300 });
    expect(list[list.length - 1]).toEqual({ type: 'more', side: 'after', count: 600 });
    expect(entries(view(0, 1000)).every((e) => e.type === 'message')).toBe(true);
    expect(span(view(300, 100))).toBe('messages[1–1000]');
  });

  it('shows a run that left the window only in the part where it stood', () => {
    const run = { before: 200, messages: 4, bytes: 9, request: 7 };
    expect(entries(view(300, 100, [run])).some((e) => e.type === 'hidden')).toBe(false);
    const list = entries(view(150, 100, [run]));
    const at = list.findIndex((e) => e.type === 'hidden');
    expect(list[at + 1]).toMatchObject({ type: 'message', message: { index: 200 } });
  });

  it('grows where parts meet, and is replaced where they do not', () => {
    const before = joined(view(300, 100), 200, messages(201, 100));
    expect([before.history.from, before.messages.length, before.messages[0].index]).toEqual([200, 200, 201]);
    const after = joined(view(300, 100), 400, messages(401, 50));
    expect([after.history.from, after.messages.length]).toEqual([300, 150]);
    const start = joined(view(300, 100), 0, messages(1, 100));
    expect([start.history.from, start.messages.length, start.messages[0].index]).toEqual([0, 100, 1]);
  });

  it('keeps what was brought when the same request is pulled anew, and nothing of another', () => {
    const old = view(200, 800);
    expect(kept(old, view(800, 200)).messages.length).toBe(800);
    expect(kept({ ...old, row: { ...old.row, n: 6 } }, view(800, 200)).messages.length).toBe(200);
    expect(kept({ ...old, row: { ...old.row, proof: 'pending' } }, view(800, 200)).messages.length).toBe(200);
  });
});

describe('the next request', () => {
  const with_ = (v: RequestView, at: number, change: Partial<MessageView>) => ({ ...v, messages: v.messages.map((m) => (m.index === at ? { ...m, ...change } : m)) });

  it('keeps every message of which nothing differs, and takes each that does', () => {
    const old = view(0, 5);
    const fresh = with_(with_(with_(view(0, 7), 2, { changed: 'grew' }), 3, { record: { state: 'sealed' } as MessageView['record'] }), 4, { leaf: 'other' });
    const got = shared(old, fresh);
    expect(got.messages).toEqual(fresh.messages);
    expect(got.messages.map((m) => old.messages.includes(m))).toEqual([true, false, false, false, true, false, false]);
  });

  it('finds messages by their index, also where the parts that are here begin elsewhere', () => {
    const old = view(100, 50);
    const got = shared(old, view(120, 50));
    expect(got.messages.filter((m) => old.messages.includes(m)).length).toBe(30);
    expect(shared(null, old)).toBe(old);
  });
});
