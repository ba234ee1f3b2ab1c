// Two texts around the first place where they differ.

export interface AroundLine {
  before: string;
  changed: string;
  after: string;
  /** whether text was left out on either side of what is shown */
  cutStart: boolean;
  cutEnd: boolean;
}

export interface Around {
  base: AroundLine;
  next: AroundLine;
  /** characters before the first difference, for the arrow; the same in both */
  column: number;
}

/** Characters of context shown before and after the difference. */
export const CONTEXT = 32;
/** So many equal characters in a row say that the texts run together again. */
const SAME = 12;
/** How far beyond the first difference they are looked for, in characters. */
const REACH = 1500;

/** Compares by characters; surrogate pairs stay whole. `cut` says that either text goes on before and after. */
export function around(base: string, next: string, cut = { start: false, end: false }, context = CONTEXT): Around {
  let head = 0;
  const most = Math.min(base.length, next.length);
  while (head < most && base[head] === next[head]) head++;
  if (head > 0 && isHigh(base.charCodeAt(head - 1))) head--;
  const [endBase, endNext] = rejoin(base, next, head);
  const from = Math.max(0, head - context);
  const line = (s: string, changed: number): AroundLine => {
    const end = Math.min(s.length, changed + context);
    return { before: s.slice(from, head), changed: s.slice(head, changed), after: s.slice(changed, end), cutStart: from > 0 || cut.start, cutEnd: end < s.length || cut.end };
  };
  return { base: line(base, endBase), next: line(next, endNext), column: head - from };
}

/** Where both texts run together again after `head`: the nearest such pair of places, else the ends within reach. */
function rejoin(base: string, next: string, head: number): [number, number] {
  const seen = new Map<string, number>();
  for (let j = Math.min(next.length - SAME, head + REACH); j >= head; j--) seen.set(next.slice(j, j + SAME), j);
  let best: [number, number] | null = null;
  for (let i = head; i <= Math.min(base.length - SAME, head + REACH); i++) {
    if (best && i - head >= best[0] + best[1] - 2 * head) break;
    const j = seen.get(base.slice(i, i + SAME));
    if (j !== undefined && (!best || i + j < best[0] + best[1])) best = [i, j];
  }
  if (best) return best;
  let tail = 0;
  const most = Math.min(base.length, next.length) - head;
  while (tail < most && base[base.length - 1 - tail] === next[next.length - 1 - tail]) tail++;
  return [base.length - tail, next.length - tail];
}

const isHigh = (c: number) => c >= 0xd800 && c < 0xdc00;
