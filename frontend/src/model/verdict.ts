// What a verdict looks like. Planned against unplanned is a difference of shape; colour only adds to it.
import type { RequestRow } from '../api/types.gen';

export type Glyph = 'first' | 'extended' | 'sealed' | 'windowed' | 'changed' | 'rewritten' | 'leaked' | 'staged' | 'unknown';

/** calm: a plain word. warn: a planned break, or one that needs no plan. bad: a violation, as a filled pill. */
export type Tone = 'calm' | 'warn' | 'bad' | 'staged';

export interface VerdictLook {
  glyph: Glyph;
  tone: Tone;
  /** key of the word, under "verdict." in the dictionaries */
  word: string;
}

export const VERDICTS = [
  'first', 'extended', 'sealed', 'windowed', 'tools-changed', 'model-changed', 'system-changed', 'rest-changed',
  'mark-moved', 'rewritten', 'leaked',
] as const;

const GLYPHS: Record<string, Glyph> = {
  first: 'first', extended: 'extended', sealed: 'sealed', windowed: 'windowed',
  'tools-changed': 'changed', 'model-changed': 'changed', 'system-changed': 'changed', 'rest-changed': 'changed',
  'mark-moved': 'changed', rewritten: 'rewritten', leaked: 'leaked',
};

export function verdictLook(verdict: string, planned: boolean | null, staged = false): VerdictLook {
  if (staged) return { glyph: 'staged', tone: 'staged', word: 'staged' };
  const glyph = GLYPHS[verdict] ?? 'unknown';
  return { glyph, tone: toneOf(glyph, verdict, planned), word: glyph === 'unknown' ? 'unknown' : verdict };
}

/** Reported, but no violation of anything. */
const REPORTED: ReadonlySet<string> = new Set(['rest-changed', 'mark-moved']);

/** A break that nobody announced is a violation, also where nobody could: in another program's traffic. So the program
 * counts, and so the redlines A1 and A9 say. */
function toneOf(glyph: Glyph, verdict: string, planned: boolean | null): Tone {
  if (glyph === 'rewritten' || glyph === 'leaked') return 'bad';
  if (glyph === 'windowed' || glyph === 'changed') return planned !== true && !REPORTED.has(verdict) ? 'bad' : 'warn';
  return 'calm';
}

/** Whether a comparison shows a violation. */
export function violates(verdict: string, planned: boolean | null): boolean {
  return verdictLook(verdict, planned).tone === 'bad';
}

/** The answer to "was that planned?". unannounced: no announcement can be known of. noplan: it needs none. kept:
 * nothing of what a cache holds moved. */
export type Plan = 'planned' | 'unplanned' | 'unannounced' | 'noplan' | 'kept' | 'foreign';

export function planOf(verdict: string, planned: boolean | null): Plan {
  const glyph = GLYPHS[verdict];
  if (glyph === 'rewritten' || glyph === 'leaked') return 'unplanned'; // no plan covers it, whoever sent it
  if (planned !== null) return planned ? 'planned' : 'unplanned';
  if (glyph === undefined) return 'foreign';
  if (REPORTED.has(verdict)) return 'noplan';
  return glyph === 'windowed' || glyph === 'changed' ? 'unannounced' : 'kept';
}

export function rowLook(row: RequestRow): VerdictLook {
  return verdictLook(row.verdict, row.planned, row.staged);
}

/** A row that takes colour as a whole: an unplanned verdict, or a redline that fails on it. */
export function isViolation(row: RequestRow): boolean {
  return rowLook(row).tone === 'bad' || row.violations.length > 0;
}
