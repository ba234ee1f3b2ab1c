// The body bar: a request's bytes by segment, drawn against the session's largest body.
import type { RequestRow } from '../api/types.gen';
import { rowLook } from './verdict';

export type SegmentKind = 'prefix' | 'equal' | 'new' | 'planned' | 'broken' | 'tail';

export interface Segment {
  kind: SegmentKind;
  bytes: number;
}

/** Planned verdicts after which the history is sent again. */
const BREAKS: ReadonlySet<string> = new Set(['windowed', 'tools-changed', 'model-changed', 'system-changed']);

/** Segments in the order of the body, without empty ones. What follows a break takes the break's colour. */
export function segments(row: RequestRow): Segment[] {
  const tone = rowLook(row).tone;
  const fresh: SegmentKind = tone === 'bad' ? 'broken' : tone === 'warn' && BREAKS.has(row.verdict) ? 'planned' : 'new';
  const all: Segment[] = [
    { kind: 'prefix', bytes: row.prefix },
    { kind: 'equal', bytes: row.equal },
    { kind: fresh, bytes: row.new },
    { kind: 'tail', bytes: row.tail },
  ];
  return all.filter((s) => s.bytes > 0);
}

/** Width of a bar in per cent of the widest. A body that exists is never narrower than a mark one can see. */
export function barWidth(bytes: number, largest: number): number {
  if (bytes <= 0 || largest <= 0) return 0;
  return Math.max(2, Math.min(100, (bytes / largest) * 100));
}

export function largestBody(rows: readonly RequestRow[]): number {
  let max = 0;
  for (const r of rows) if (r.bytes > max) max = r.bytes;
  return max;
}
