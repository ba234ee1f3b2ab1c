// Rows of a timeline from the columns in which they travel.
import type { RequestRow, RowColumns } from '../api/types.gen';

/** A column is null where no row has anything in it. */
type Column<T> = readonly (T | null)[] | null;

function at<T>(column: Column<T>, i: number, none: T): T {
  return column?.[i] ?? none;
}

/** The rows, each a value of its own. */
export function rowsOf(c: RowColumns): RequestRow[] {
  return ((c.n as number[] | null) ?? []).map((n, i) => ({
    n,
    base: at(c.base, i, 0),
    kind: at(c.kind, i, ''),
    verdict: at(c.verdict, i, ''),
    planned: at<boolean | null>(c.planned, i, null),
    staged: at(c.staged, i, false),
    proof: at(c.proof, i, ''),
    status: at(c.status, i, ''),
    sentAt: at(c.sentAt, i, 0),
    millis: at(c.millis, i, 0),
    attempts: at(c.attempts, i, 0),
    tools: at<string[]>(c.tools, i, []),
    bytes: at(c.bytes, i, 0),
    prefix: at(c.prefix, i, 0),
    equal: at(c.equal, i, 0),
    new: at(c.new, i, 0),
    tail: at(c.tail, i, 0),
    lost: at(c.lost, i, 0),
    usage: at(c.usage, i, null) ?? { reported: false, prompt: 0, cached: 0, cachedSaid: false, completion: 0 },
    predicted: at(c.predicted, i, null),
    unpredicted: at(c.unpredicted, i, ''),
    violations: at<string[]>(c.violations, i, []),
    error: at(c.error, i, ''),
    thread: at(c.thread, i, ''),
    turn: at(c.turn, i, 0),
    method: at(c.method, i, ''),
    path: at(c.path, i, ''),
    http: at(c.http, i, 0),
  }));
}
