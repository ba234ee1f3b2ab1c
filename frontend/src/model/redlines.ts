import type { Redline, VerdictView, Words } from '../api/types.gen';

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

/** Where a redline fails: a part of the body, and the path in it where one is known. */
export interface Place {
  kind: string;
  index: number;
  path: string;
}

const PARTS: readonly { kind: string; path: RegExp }[] = [
  { kind: 'message', path: /^\$\.(?:messages|input)\[(\d+)\]/ },
  { kind: 'tool', path: /^\$\.tools\[(\d+)\]/ },
  { kind: 'system', path: /^\$\.(?:system|instructions)\b/ },
  { kind: 'model', path: /^\$\.model\b/ },
];

/** The part that a path leads into; null for one that leads beside all parts. */
function partAt(path: string): Place | null {
  for (const p of PARTS) {
    const m = p.path.exec(path);
    if (m) return { kind: p.kind, index: Number(m[1] ?? 0), path };
  }
  return null;
}

/** The first value of a sentence, or of one inside it. */
function valueOf<T>(words: Words, of: (w: Words) => T | undefined): T | undefined {
  return of(words) ?? Object.values(words.inner).map((w) => w && valueOf(w, of)).find((v) => v !== null && v !== undefined) ?? undefined;
}

/**
 * The place that a failing redline names itself. The first difference of the bodies may be another part's: only what is
 * said of the history and of all old bytes is said of that one.
 */
export function placeOf(redline: Redline, verdict: VerdictView): Place | null {
  const words = redline.words;
  const path = (words && valueOf(words, (w) => w.texts.path as string | undefined)) ?? /\bat (\$[^\s,;]+)/.exec(redline.detail)?.[1];
  if (path !== undefined) return partAt(path) ?? { kind: '', index: 0, path };
  const at = (words && valueOf(words, (w) => w.numbers.at as number | undefined)) ?? /\bmessage (\d+)/.exec(redline.detail)?.[1];
  if (at !== undefined) return { kind: /^tools? \d/.test(redline.detail) ? 'tool' : 'message', index: Number(at), path: '' };
  const first = redline.id === 'A8' || redline.id === 'A9';
  return first && verdict.partKind !== '' ? { kind: verdict.partKind, index: verdict.partIndex, path: verdict.path } : null;
}

/** Redlines that say most of a verdict. */
const OF_VERDICT: Readonly<Record<string, readonly string[]>> = { rewritten: ['A9'], leaked: ['A5', 'A3'], 'system-changed': ['A1', 'A2'] };

/** Of the failing ones the one that says most of the verdict, else the first. */
export function foremost(fails: readonly Redline[], verdict: string): Redline | undefined {
  return (OF_VERDICT[verdict] ?? []).map((id) => byId(fails, id)).find((r) => r !== undefined) ?? fails[0];
}
