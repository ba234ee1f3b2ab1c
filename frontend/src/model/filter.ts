// The timeline's filter language.
//
//   filter  = { term }                         all terms must hold
//   term    = [ "-" ] ( field | number | text )
//   field   = name ":" word { "," word }       any of the words: verdict tool kind status redline proof thread
//   number  = name op value | name ":" value ".." value
//   name    = tokens bytes new cached lost time n turn      op = > >= < <= = :
//   value   = digits [ "." digits ] [ k | M | ms | s ]
//   text    = word | '"' words '"'             found in the number, verdict, tools, user's words or error
//
// Names and words are matched without regard to case. An unfinished quote reaches to the end.
import type { RequestRow, Turn } from '../api/types.gen';
import { isViolation, rowLook } from './verdict';

export const WORD_FIELDS = ['verdict', 'tool', 'kind', 'status', 'redline', 'proof', 'thread'] as const;
export const NUMBER_FIELDS = ['tokens', 'bytes', 'new', 'cached', 'lost', 'time', 'n', 'turn'] as const;
/** One of each kind of term, for those who don't know the language; its words stand under "help.filter.", from 1. */
export const EXAMPLES = ['verdict:rewritten', 'tool:zimoos.act tokens>8k', 'bytes:10k..20k -kind:side', 'redline:A9', '"shopping list"'] as const;
type WordField = (typeof WORD_FIELDS)[number];
type NumberField = (typeof NUMBER_FIELDS)[number];

/** What a filter sees of a row. */
export interface Filtered {
  row: RequestRow;
  turn: Turn | undefined;
}

export type Predicate = (f: Filtered) => boolean;

export interface FilterError {
  /** key under "filter.error." */
  kind: 'unknown' | 'number' | 'empty';
  /** the term as written */
  term: string;
}

export interface Filter {
  test: Predicate;
  errors: FilterError[];
  empty: boolean;
}

/** Reads a filter. Terms that can't be read are reported and left out. */
export function parseFilter(text: string): Filter {
  const tests: Predicate[] = [];
  const errors: FilterError[] = [];
  for (const term of terms(text)) {
    const got = parseTerm(term.body);
    if ('kind' in got) errors.push({ ...got, term: term.raw });
    else tests.push(term.not ? (f) => !got.test(f) : got.test);
  }
  return { test: (f) => tests.every((t) => t(f)), errors, empty: tests.length === 0 && errors.length === 0 };
}

interface Term {
  raw: string;
  body: string;
  not: boolean;
}

function terms(text: string): Term[] {
  const found = text.match(/-?(?:[a-z]+[:<>=]+)?"[^"]*"?|\S+/gi) ?? [];
  return found.map((raw) => ({ raw, body: raw.startsWith('-') && raw.length > 1 ? raw.slice(1) : raw, not: raw.startsWith('-') && raw.length > 1 }));
}

type Parsed = { test: Predicate } | Omit<FilterError, 'term'>;

function parseTerm(body: string): Parsed {
  const field = /^([a-z]+)(:|>=|<=|>|<|=)(.*)$/is.exec(body);
  if (!field || body.startsWith('"')) return { test: freeText(unquote(body)) };
  const [, written, op, value] = field;
  const name = written.toLowerCase();
  if (value === '') return { kind: 'empty' };
  if (isOneOf(NUMBER_FIELDS, name)) return numberTerm(name, op, value);
  if (isOneOf(WORD_FIELDS, name) && (op === ':' || op === '=')) return { test: wordTerm(name, unquote(value)) };
  return { kind: 'unknown' };
}

function isOneOf<T extends string>(list: readonly T[], s: string): s is T {
  return (list as readonly string[]).includes(s);
}

const unquote = (s: string) => (s.startsWith('"') ? s.slice(1, s.length > 1 && s.endsWith('"') ? -1 : undefined) : s);

function freeText(text: string): Predicate {
  const want = text.toLowerCase();
  return ({ row, turn }) =>
    [`#${row.n}`, rowLook(row).word, row.verdict, row.error, turn?.prompt ?? '', ...row.tools].some((s) => s.toLowerCase().includes(want));
}

const WORDS: Record<WordField, (f: Filtered) => string[]> = {
  verdict: ({ row }) => [
    row.verdict, row.staged ? 'staged' : '', row.planned === false || isViolation(row) ? 'unplanned' : '',
    row.planned === true ? 'planned' : '',
  ],
  tool: ({ row }) => (row.tools.length > 0 ? row.tools : ['answer']),
  kind: ({ row }) => [row.kind],
  status: ({ row }) => [row.status],
  redline: ({ row }) => [...row.violations, row.violations.length > 0 ? 'any' : 'none'],
  proof: ({ row }) => [row.proof],
  thread: ({ row }) => [row.thread],
};

function wordTerm(name: WordField, value: string): Predicate {
  const wants = value.toLowerCase().split(',').filter((w) => w !== '');
  const whole = (w: string) => name === 'redline' || name === 'thread' || w === 'planned'; // A1 must not find A11, nor planned what is unplanned
  return (f) => WORDS[name](f).some((has) => wants.some((w) => (whole(w) ? has.toLowerCase() === w : has.toLowerCase().includes(w))));
}

/** Figures of a row; null where it has none, which no comparison finds. */
const NUMBERS: Record<NumberField, (f: Filtered) => number | null> = {
  tokens: ({ row }) => (row.usage.reported ? row.usage.prompt : (row.predicted?.total ?? null)),
  bytes: ({ row }) => row.bytes,
  new: ({ row }) => row.new,
  cached: ({ row }) => (row.usage.cachedSaid ? row.usage.cached : null),
  lost: ({ row }) => row.lost,
  time: ({ row }) => row.millis,
  n: ({ row }) => row.n,
  turn: ({ turn }) => turn?.number ?? null,
};

function numberTerm(name: NumberField, op: string, value: string): Parsed {
  const range = /^(.*)\.\.(.*)$/.exec(value);
  if (range && (op === ':' || op === '=')) {
    const low = range[1] === '' ? -Infinity : number(range[1]);
    const high = range[2] === '' ? Infinity : number(range[2]);
    if (low === null || high === null) return { kind: 'number' };
    return { test: on(name, (n) => n >= low && n <= high) };
  }
  const want = number(value);
  if (want === null) return { kind: 'number' };
  const compare: Record<string, (n: number) => boolean> = {
    '>': (n) => n > want, '>=': (n) => n >= want, '<': (n) => n < want, '<=': (n) => n <= want,
    '=': (n) => n === want, ':': (n) => n === want,
  };
  return { test: on(name, compare[op]) };
}

function on(name: NumberField, test: (n: number) => boolean): Predicate {
  return (f) => {
    const n = NUMBERS[name](f);
    return n !== null && test(n);
  };
}

const SCALE: Record<string, number> = { '': 1, k: 1000, m: 1_000_000, ms: 1, s: 1000 };

function number(text: string): number | null {
  const m = /^(\d+(?:[.,]\d+)?)(k|m|ms|s|b)?$/i.exec(text.trim());
  if (!m) return null;
  return Number(m[1].replace(',', '.')) * (SCALE[(m[2] ?? '').toLowerCase().replace('b', '')] ?? 1);
}

/** Completions for the word at the end of a filter: names first, then words that occur in the session. */
export function complete(text: string, rows: readonly RequestRow[]): string[] {
  const last = /\S*$/.exec(text)?.[0] ?? '';
  const bare = last.replace(/^-/, '').toLowerCase();
  const field = /^([a-z]+):(.*)$/.exec(bare);
  if (!field) {
    if (bare === '') return [];
    return [...WORD_FIELDS.map((w) => `${w}:`), ...NUMBER_FIELDS.map((n) => `${n}>`)].filter((c) => c.startsWith(bare) && c !== bare);
  }
  const name = field[1];
  if (!isOneOf(WORD_FIELDS, name)) return [];
  const seen = new Set<string>();
  for (const row of rows) for (const w of WORDS[name]({ row, turn: undefined })) if (w !== '') seen.add(w);
  return [...seen].sort().filter((w) => w.toLowerCase().startsWith(field[2]) && w.toLowerCase() !== field[2]).map((w) => `${name}:${w}`);
}

/** The text with its last word replaced by a completion. */
export function applyCompletion(text: string, completion: string): string {
  return text.replace(/(-?)\S*$/, (_, minus: string) => minus + completion) + (completion.endsWith(':') || completion.endsWith('>') ? '' : ' ');
}
