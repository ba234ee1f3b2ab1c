import type { Redline } from '../api/types.gen';

export type RedlineState = 'pass' | 'fail' | 'degraded' | 'skip';

/** A1 to A13 in order. A10 is held by a test of the program itself and has no live mark. */
export const REDLINE_IDS = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9', 'A10', 'A11', 'A12', 'A13'] as const;
export const LIVE_IDS = REDLINE_IDS.filter((id) => id !== 'A10');

export function redlineState(r: Redline | undefined): RedlineState {
  if (!r || r.ok === null) return 'skip';
  if (!r.ok) return 'fail';
  return r.degraded > 0 ? 'degraded' : 'pass';
}

export function byId(list: readonly Redline[], id: string): Redline | undefined {
  return list.find((r) => r.id === id);
}

/** How many live redlines pass (degraded ones included), and of how many. */
export function tally(list: readonly Redline[]): { pass: number; fail: number; of: number } {
  const states = LIVE_IDS.map((id) => redlineState(byId(list, id)));
  return {
    pass: states.filter((s) => s === 'pass' || s === 'degraded').length,
    fail: states.filter((s) => s === 'fail').length,
    of: LIVE_IDS.length,
  };
}
