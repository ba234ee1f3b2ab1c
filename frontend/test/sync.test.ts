import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Backend } from '../src/api/service';
import type { Event } from '../src/api/types.gen';
import { fixture } from '../src/dev/fixture';
import { get, INITIAL, set } from '../src/state/store';
import { Sync } from '../src/state/sync';

afterEach(() => set(INITIAL, true));

/** A program whose events are told by hand, and which counts how often its timeline is asked for. */
function program() {
  const inner = fixture('violation');
  const at: { seq: number; asked: number; tell: (e: Event) => void } = { seq: 0, asked: 0, tell: () => undefined };
  const backend: Backend = {
    ...inner,
    service: {
      ...inner.service,
      snapshot: async () => ({ ...(await inner.service.snapshot()), seq: at.seq }),
      timelineSince: async (session, rev) => {
        at.asked++;
        return inner.service.timelineSince(session, rev);
      },
    },
    subscribe: (_after, onEvent) => {
      at.tell = onEvent;
      return () => undefined;
    },
  };
  return { at, backend };
}

describe('the page and the program', () => {
  it('stay in step when an event comes after a snapshot of a higher number', async () => {
    const { at, backend } = program();
    const sync = new Sync(backend);
    await sync.start();
    const session = get().snapshot?.current ?? '';
    await vi.waitFor(() => expect(get().view).not.toBeNull());

    const before = at.asked;
    at.seq = 2; // both have happened, and only the first is heard yet
    at.tell({ seq: 1, topic: 'state', id: session, rev: 1 });
    await vi.waitFor(() => expect(get().snapshot?.seq).toBe(2));
    expect(at.asked).toBe(before);
    at.tell({ seq: 2, topic: 'timeline', id: session, rev: 2 });
    await vi.waitFor(() => expect(at.asked).toBeGreaterThan(before));
    sync.stop();
  });

  it('shows a request that was peeked at without asking again, and asks again after an event', async () => {
    const { at, backend } = program();
    const asked = vi.spyOn(backend.service, 'request');
    const times = (n: number) => asked.mock.calls.filter(([r]) => r.n === n).length;
    const sync = new Sync(backend);
    await sync.start();
    await vi.waitFor(() => expect(get().view).not.toBeNull());
    const session = get().snapshot?.current ?? '';
    const show = async (n: number) => {
      set({ choice: { ...get().choice, n, follow: false } });
      sync.now(['view']);
      await vi.waitFor(() => expect(get().view?.row.n).toBe(n));
    };
    sync.peek(2);
    await vi.waitFor(() => expect(times(2)).toBe(1));
    await show(2);
    expect(times(2)).toBe(1);

    await show(3);
    sync.peek(2);
    await vi.waitFor(() => expect(times(2)).toBe(2));
    at.tell({ seq: 1, topic: 'timeline', id: session, rev: 1 });
    await vi.waitFor(() => expect(at.asked).toBeGreaterThan(1));
    await show(2);
    expect(times(2)).toBe(3);
    sync.stop();
  });
});
