import type { RequestRow } from '../src/api/types.gen';

/** A calm row, with what a test cares about set. */
export function row(change: Partial<RequestRow> = {}): RequestRow {
  return {
    n: 1, base: 0, kind: 'main', verdict: 'extended', planned: true, staged: false, proof: 'proved', status: 'done', sentAt: 1, millis: 10, attempts: 1, tools: [], bytes: 100, prefix: 50,
    equal: 20, new: 20, tail: 10, lost: 0, usage: { reported: true, prompt: 30, cached: 10, cachedSaid: true, completion: 5 },
    predicted: { class: 'token', reused: 20, total: 30, exact: true }, unpredicted: '', violations: [], error: '', thread: '', turn: 0, method: '', path: '', http: 0, ...change,
  };
}
