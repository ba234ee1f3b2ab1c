import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RequestRef, RequestView } from '../src/api/types.gen';
import { HELD_MS, Peek, REST_MS } from '../src/state/peek';

const ref = (n: number, session = 's'): RequestRef => ({ session, n });
const asking = () => vi.fn(async (r: RequestRef) => ({ rev: r.n }) as RequestView);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('asks for a request on which the pointer rests, and gives it once', async () => {
  const ask = asking();
  const p = new Peek(ask);
  p.come(ref(3));
  expect(p.take(ref(3))).toBeNull();
  p.come(ref(3));
  vi.advanceTimersByTime(REST_MS);
  p.come(ref(3)); // again: it is held
  vi.advanceTimersByTime(REST_MS);
  expect(ask).toHaveBeenCalledTimes(1);
  expect((await p.take(ref(3)))?.rev).toBe(3);
  expect(p.take(ref(3))).toBeNull();
});

it('asks nothing for rows that the pointer only passes', () => {
  const ask = asking();
  const p = new Peek(ask);
  for (let n = 1; n < 20; n++) {
    p.come(ref(n));
    vi.advanceTimersByTime(REST_MS - 1);
    p.leave();
  }
  vi.advanceTimersByTime(1000);
  expect(ask).not.toHaveBeenCalled();
});

it('gives nothing of another request, another session, of long ago, or of before a change', () => {
  const p = new Peek(asking());
  const rest = () => {
    p.come(ref(3));
    vi.advanceTimersByTime(REST_MS);
  };
  rest();
  expect(p.take(ref(4))).toBeNull();
  rest();
  expect(p.take(ref(3, 'other'))).toBeNull();
  rest();
  vi.advanceTimersByTime(HELD_MS);
  expect(p.take(ref(3))).toBeNull();
  rest();
  p.drop();
  expect(p.take(ref(3))).toBeNull();
});

it('holds no failure: whoever chooses the request asks anew', async () => {
  const p = new Peek(() => Promise.reject(new Error('gone')));
  p.come(ref(3));
  await vi.advanceTimersByTimeAsync(REST_MS);
  expect(p.take(ref(3))).toBeNull();
});
