// Hunks as flat rows, so that they can be virtualised.
import type { Hunk, HunkLine, Span } from '../api/types.gen';

export type HunkRow = { type: 'head'; hunk: Hunk } | { type: 'line'; line: HunkLine; fresh: boolean };

/** A part that is wholly new is drawn without ground: colour stays for what changed. */
export function hunkRows(hunks: readonly Hunk[]): HunkRow[] {
  const out: HunkRow[] = [];
  for (const hunk of hunks) {
    if (hunk.state === 'request-only') continue; // the carrier pane shows its own difference
    out.push({ type: 'head', hunk });
    for (const line of hunk.lines) out.push({ type: 'line', line, fresh: hunk.state === 'new' });
  }
  return out;
}

export interface Piece {
  text: string;
  changed: boolean;
}

/** A line cut at its changed words. Spans may come unordered or overlap; nothing of the text is lost. */
export function pieces(text: string, spans: readonly Span[]): Piece[] {
  const out: Piece[] = [];
  let at = 0;
  for (const s of [...spans].sort((a, b) => a.from - b.from)) {
    const from = Math.max(at, Math.min(s.from, text.length));
    const to = Math.max(from, Math.min(s.to, text.length));
    if (from > at) out.push({ text: text.slice(at, from), changed: false });
    if (to > from) out.push({ text: text.slice(from, to), changed: true });
    at = Math.max(at, to);
  }
  if (at < text.length) out.push({ text: text.slice(at), changed: false });
  return out;
}

/** Indexes of the rows where something differs, for jumping to the next and the previous difference. */
export function differences(rows: readonly HunkRow[]): number[] {
  const out: number[] = [];
  rows.forEach((r, i) => {
    if (r.type !== 'line' || r.line.sign === ' ') return;
    const before = rows[i - 1];
    if (before?.type !== 'line' || before.line.sign === ' ') out.push(i);
  });
  return out;
}

/** The difference that is gone to from one of `count`; its ends hold. */
export function goTo(at: number, by: number | 'first', count: number): number {
  return by === 'first' ? 0 : Math.max(0, Math.min(count - 1, at + by));
}

/** The part that a row belongs to, when the row that names it is another one. */
export function partOf(rows: readonly HunkRow[], at: number): Hunk | undefined {
  if (rows[at]?.type !== 'line') return undefined;
  for (let i = at - 1; i >= 0; i--) {
    const r = rows[i];
    if (r.type === 'head') return r.hunk;
  }
  return undefined;
}
