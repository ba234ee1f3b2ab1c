// The timeline as a flat list of lines: turn heads and rows, filtered.
import type { RequestRow, Timeline, Turn } from '../api/types.gen';
import type { Predicate } from './filter';

export type Line = { type: 'turn'; turn: Turn } | { type: 'row'; row: RequestRow; index: number; turn?: Turn };

export const ROW_HEIGHT = 40;
export const TURN_HEIGHT = 24;

/** The turn each request belongs to: the last one that starts at or before it. Side requests belong where they stand. */
export function turnOf(turns: readonly Turn[], n: number): Turn | undefined {
  let low = 0;
  let high = turns.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (turns[mid].request <= n) low = mid + 1;
    else high = mid;
  }
  return turns[low - 1];
}

/** The turn of a row: by its own word, for conversations that interleave; else by where it stands. */
export function turnOfRow(turns: readonly Turn[], row: RequestRow): Turn | undefined {
  if (row.turn === 0) return turnOf(turns, row.n);
  const near = turnOf(turns, row.n);
  return near?.number === row.turn ? near : turns.find((t) => t.number === row.turn);
}

/** Lines in order. A turn has its head where its first visible row stands, once: conversations may interleave. */
export function lines(timeline: Timeline, test: Predicate): Line[] {
  const out: Line[] = [];
  const heads = new Set<number>();
  timeline.rows.forEach((row, index) => {
    const turn = turnOfRow(timeline.turns, row);
    if (!test({ row, turn })) return;
    if (turn && !heads.has(turn.number)) {
      out.push({ type: 'turn', turn });
      heads.add(turn.number);
    }
    out.push({ type: 'row', row, index, turn });
  });
  return out;
}

export function lineHeight(line: Line): number {
  return line.type === 'turn' ? TURN_HEIGHT : ROW_HEIGHT;
}

/** Tops of all lines, and the height of the whole at the end. */
export function offsets(list: readonly Line[]): number[] {
  const tops = new Array<number>(list.length + 1);
  let y = 0;
  list.forEach((l, i) => {
    tops[i] = y;
    y += lineHeight(l);
  });
  tops[list.length] = y;
  return tops;
}

export interface Shown {
  selected: number;
  follow: boolean;
  /** of the filter */
  text: string;
  /** height of all lines in px */
  end: number;
}

/** Where the list goes after a change, `bottom` being what of it is in view. A person's choice is brought into view; what
 *  comes by itself moves the list only where it stands at its end and follows: whoever scrolled away reads there. */
export function placeAfter(was: Shown, now: Shown, bottom: number): 'end' | 'selected' | 'stay' {
  const byPerson = was.text !== now.text || was.follow !== now.follow || (!now.follow && was.selected !== now.selected);
  if (byPerson) return now.follow ? 'end' : 'selected';
  return now.follow && bottom >= was.end - 2 * ROW_HEIGHT ? 'end' : 'stay';
}

/** The half-open range of lines that a view of `height` at `scroll` touches, with `over` more on both sides. */
export function visibleRange(tops: readonly number[], scroll: number, height: number, over: number): [number, number] {
  const count = tops.length - 1;
  if (count <= 0) return [0, 0];
  const first = find(tops, Math.max(0, scroll));
  const last = find(tops, Math.max(0, scroll + height - 1));
  return [Math.max(0, first - over), Math.min(count, last + 1 + over)];
}

/** Index of the line that covers a place; the last one for places beyond the end. */
function find(tops: readonly number[], y: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (high - low > 1) {
    const mid = (low + high) >> 1;
    if (tops[mid] <= y) low = mid;
    else high = mid;
  }
  return low;
}

/** The turn head that sticks to the top at a scroll position: that of the first visible line. */
export function stickyTurn(list: readonly Line[], tops: readonly number[], scroll: number): Turn | undefined {
  if (list.length === 0) return undefined;
  return list[find(tops, Math.max(0, scroll))].turn;
}

/** The scroll position that brings a span into view with the least movement. `head` is covered by the sticky line. */
export function scrollInto(top: number, bottom: number, scroll: number, height: number, head = 0): number {
  if (top - head < scroll) return Math.max(0, top - head);
  if (bottom > scroll + height) return bottom - height;
  return scroll;
}

/** The number `by` rows away among visible rows; the nearest end when there is none, 0 when no row is visible. */
export function neighbour(list: readonly Line[], n: number, by: number): number {
  const rows = list.flatMap((l) => (l.type === 'row' ? [l.row.n] : []));
  if (rows.length === 0) return 0;
  const at = rows.indexOf(n);
  const from = at >= 0 ? at : by > 0 ? -1 : rows.length;
  return rows[Math.max(0, Math.min(rows.length - 1, from + by))];
}

/** The newest request, which follow shows. */
export function newest(timeline: Timeline | null): number {
  return timeline && timeline.rows.length > 0 ? timeline.rows[timeline.rows.length - 1].n : 0;
}
