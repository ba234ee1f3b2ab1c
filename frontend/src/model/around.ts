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
  /** cells before the first difference, for the arrow; equal in both */
  column: number;
}

/** Characters of context shown before and after the difference. */
const CONTEXT = 32;

/** Compares by characters; surrogate pairs stay whole. `cut` says that either text goes on before and after. */
export function around(base: string, next: string, cut = { start: false, end: false }): Around {
  let head = 0;
  const most = Math.min(base.length, next.length);
  while (head < most && base[head] === next[head]) head++;
  if (head > 0 && isHigh(base.charCodeAt(head - 1))) head--;
  let tail = 0;
  while (tail < most - head && base[base.length - 1 - tail] === next[next.length - 1 - tail]) tail++;
  const from = Math.max(0, head - CONTEXT);
  const line = (s: string): AroundLine => {
    const end = Math.min(s.length, s.length - tail + CONTEXT);
    return {
      before: s.slice(from, head), changed: s.slice(head, s.length - tail), after: s.slice(s.length - tail, end),
      cutStart: from > 0 || cut.start, cutEnd: end < s.length || cut.end,
    };
  };
  return { base: line(base), next: line(next), column: head - from };
}

const isHigh = (c: number) => c >= 0xd800 && c < 0xdc00;
