// Traffic of other agents: conversations as lanes, and what can be filtered by.
import type { RequestRow, RequestView } from '../api/types.gen';

/** Colours of lanes; further conversations take them again from the first. */
export const LANES = 6;
/** Conversations that are offered as buttons; the filter reaches all. */
const OFFERED = 5;

/** The lane of a conversation, from 1; 0 for none. */
export function laneOf(thread: string): number {
  const n = /^c(\d+)$/.exec(thread)?.[1];
  return n === undefined ? 0 : ((Number(n) - 1) % LANES) + 1;
}

export interface Group {
  /** the filter that shows it alone */
  filter: string;
  /** c1, c2, … or "" for what is not compared */
  thread: string;
  count: number;
}

/** The largest conversations by their number, then what is not compared. One conversation alone needs no choice. */
export function groups(rows: readonly RequestRow[]): Group[] {
  const counts = new Map<string, number>();
  let others = 0;
  for (const r of rows) {
    if (r.kind === 'other') others++;
    else if (r.thread !== '') counts.set(r.thread, (counts.get(r.thread) ?? 0) + 1);
  }
  const list = [...counts].sort((a, b) => b[1] - a[1]).slice(0, OFFERED).sort((a, b) => Number(a[0].slice(1)) - Number(b[0].slice(1)));
  const out = list.map(([thread, count]) => ({ filter: `thread:${thread}`, thread, count }));
  if (others > 0) out.push({ filter: 'kind:other', thread: '', count: others });
  return out.length > 1 ? out : [];
}

/** Which of the three states a request's proof is shown in. */
export function proofWord(view: RequestView): 'staged' | 'proved' | 'broken' | 'pending' | 'imported' | 'claimed' | 'partial' {
  if (view.row.staged) return 'staged';
  const p = view.row.proof;
  return p === 'proved' || p === 'broken' || p === 'imported' || p === 'claimed' || p === 'partial' ? p : 'pending';
}

/** Whether requests of more than one conversation stand in a session. */
export function severalThreads(rows: readonly RequestRow[]): boolean {
  const first = rows.find((r) => r.thread !== '')?.thread;
  return first !== undefined && rows.some((r) => r.thread !== '' && r.thread !== first);
}
