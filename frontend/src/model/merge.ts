// A timeline and what changed in it since. Rows and turns that did not change stay the same objects, so that what is
// drawn of them stays too.
import type { TimelineChange } from '../api/service';
import type { RequestRow, Timeline, Turn } from '../api/types.gen';

/** The timeline after a change; null when the change does not join on to what is held, so that all must be pulled. */
export function merge(have: Timeline | null, d: TimelineChange): Timeline | null {
  if (d.full) return whole(d);
  if (!have || have.session !== d.session) return null;
  const rows = join<RequestRow>(have.rows, d.rows, d.rowCount, (r) => r.n);
  const turns = join<Turn>(have.turns, d.turns, d.turnCount, (t) => t.number);
  return rows && turns && { session: d.session, rev: d.rev, rows, turns, figures: d.figures, redlines: d.redlines };
}

/** The revision to ask with: 0 pulls all. */
export function revOf(have: Timeline | null, session: string): number {
  return have?.session === session ? have.rev : 0;
}

function whole(d: TimelineChange): Timeline | null {
  if (d.rows.length !== d.rowCount || d.turns.length !== d.turnCount) return null;
  return { session: d.session, rev: d.rev, rows: d.rows, turns: d.turns, figures: d.figures, redlines: d.redlines };
}

/** The list with changed and new entries in their places, cut to its length. The same list when nothing changed. */
function join<T>(have: T[], changed: readonly T[], count: number, place: (x: T) => number): T[] | null {
  if (changed.length === 0 && have.length === count) return have;
  const out = have.slice(0, count);
  for (const x of changed) {
    const at = place(x) - 1;
    if (at < 0 || at > out.length || at >= count) return null; // a hole before it
    out[at] = x;
  }
  return out.length === count ? out : null;
}
