// Invented answers of the cache lab for the fixture.
import type { LabState, RequestRow } from '../api/types.gen';

const CLASSES = ['token', 'block', 'minimum+step', 'anthropic-5m', 'deepseek'];
const STRATEGIES = ['as-recorded', 'mark-last-sealed', 'tail-system', 'frames-in-history', 'window-sliding', 'history-rewritten'];

export function labOf(rows: readonly RequestRow[]): LabState {
  const prices = { currency: 'USD', classes: [{ class: 'anthropic-5m', uncached: 3, read: 0.3, written: 3.75 }, { class: 'deepseek', uncached: 0.28, read: 0.028, written: 0.28 }, { class: 'minimum+step', uncached: 2, read: 0.5, written: 2 }] };
  const cells = STRATEGIES.flatMap((strategy, s) => CLASSES.map((name, c) => {
    const reused = Math.round(207_000 * (0.92 - 0.11 * s + 0.02 * c - (c === 3 && s === 0 ? 0.5 : 0)));
    const p = prices.classes.find((x) => x.class === name);
    const written = c === 3 ? Math.round((207_000 - reused) * 0.6) : 0;
    return { class: name, strategy, prompt: 207_000, reused, written, cost: p ? (reused * p.read + written * p.written + (207_000 - reused - written) * p.uncached) / 1e6 : 0, priced: p !== undefined, estimated: c !== 2 };
  }));
  const list = rows.map((r) => ({ n: r.n, prompt: r.usage.prompt || 3000, reuse: CLASSES.map((_, k) => Math.round((r.n === 1 ? 0 : 0.9 - k * 0.05) * (r.usage.prompt || 3000))), elsewhere: false, said: r.usage.cachedSaid, reported: r.usage.cached, total: r.usage.prompt, marked: r.n === 5 }));
  return { session: '', running: false, stage: '', done: 0, of: 0, error: '', idle: 0, prices, builtIn: prices, unkept: '', result: { classes: CLASSES, strategies: STRATEGIES, cells, rows: list, own: 'minimum+step', untimed: 0, elsewhere: 0, estimated: true, reported: { requests: list.length, prompt: 50_000, reused: 41_000, predicted: 42_000, marked: 1 } } };
}
