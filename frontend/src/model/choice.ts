// Which request the panes show, and what it is compared with.
import type { DiffView, RequestRef, RequestView, Timeline } from '../api/types.gen';
import { newest } from './timeline';

export interface Choice {
  session: string;
  /** 0 while there is none */
  n: number;
  /** the panes move to each new request by themselves */
  follow: boolean;
  /** what the diff compares with; null for the predecessor */
  base: RequestRef | null;
}

export const NO_CHOICE: Choice = { session: '', n: 0, follow: true, base: null };

/** The user picks a request: an older one ends following, the newest does not start it. */
export function choose(c: Choice, n: number, timeline: Timeline | null): Choice {
  return { ...c, n, follow: c.follow && n === newest(timeline), base: null };
}

export function setFollow(c: Choice, follow: boolean, timeline: Timeline | null): Choice {
  return follow ? { ...c, follow, n: newest(timeline), base: null } : { ...c, follow };
}

/**
 * A timeline arrives. Of another session: start anew there. Of this one: follow, or keep the choice. An abandoned
 * request takes its number with it; the choice then falls back to the newest.
 */
export function arrive(c: Choice, timeline: Timeline): Choice {
  const last = newest(timeline);
  if (c.session !== timeline.session) return { session: timeline.session, n: last, follow: true, base: null };
  if (c.follow) return c.n === last ? c : { ...c, n: last, base: null };
  return c.n > last ? { ...c, n: last, base: null } : c.n === 0 && last > 0 ? { ...c, n: last } : c;
}

/** The request that the chosen one is compared with: 0 where there is none, or it is of another session. */
export function baseOf(c: Choice, timeline: Timeline): number {
  if (c.base) return c.base.session === c.session ? c.base.n : 0;
  return timeline.rows[c.n - 1]?.base ?? 0;
}

/** The diff that came with a view, if it is the one that is wanted. */
export function cameWith(c: Choice, view: RequestView): DiffView | null {
  const pair = diffOf(c, view);
  return pair && view.diff && view.diff.base.n === pair.base.n && pair.base.session === c.session ? view.diff : null;
}

/** The two sides of the diff; null where there is nothing to compare with. */
export function diffOf(c: Choice, view: RequestView | null): { base: RequestRef; next: RequestRef } | null {
  if (c.n === 0 || view === null || view.row.n !== c.n) return null;
  const next = { session: c.session, n: c.n };
  if (c.base) return { base: c.base, next };
  return view.row.base > 0 ? { base: { session: c.session, n: view.row.base }, next } : null;
}
