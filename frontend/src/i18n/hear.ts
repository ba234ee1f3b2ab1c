// Recognises an English sentence by its template and gives its code and values. Errors wrap one another on their way up,
// so what is no whole sentence is taken apart at its joints, and what isn't recognised stays as it came.
import { HEARD, SAID } from '../api/sentences.gen';
import type { Words } from '../api/types.gen';
import { OWN } from './own';

export const SENTENCES = { ...SAID, ...HEARD, ...OWN } as const;
export type Code = keyof typeof SENTENCES;

/** A text longer than this is no sentence of the program: it is shown as it is. In UTF-16 units. */
const LONGEST = 1000;
/** How many joints of one text are tried, and how deep a sentence stands in another. */
const JOINTS = 16;
const DEPTH = 6;
/** Letters a template needs to be told from other texts; more where it begins with what it can't know. */
const LEAST = 5;
const LEAST_OPEN = 8;

const PLACE = /\{(\w+)(?::([qdw]))?\}/g;
const FORMS: Record<string, string> = { q: '"((?:[^"\\\\]|\\\\.)*)"', d: '(\\d+)', w: '(\\S+?)', '': '([\\s\\S]*?)' };

interface Pattern {
  code: Code;
  whole: RegExp;
  names: { name: string; form: string }[];
  /** its longest piece: a text without it is no match */
  piece: string;
  letters: number;
}

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function pattern(code: Code): Pattern | null {
  const template = SENTENCES[code];
  const names: Pattern['names'] = [];
  const pieces: string[] = [];
  let source = '';
  let from = 0;
  for (const m of template.matchAll(PLACE)) {
    pieces.push(template.slice(from, m.index));
    source += escape(template.slice(from, m.index)) + FORMS[m[2] ?? ''];
    names.push({ name: m[1], form: m[2] ?? '' });
    from = m.index + m[0].length;
  }
  pieces.push(template.slice(from));
  const letters = pieces.join('').replace(/[^A-Za-z]/g, '').length;
  if (letters < (/^\{\w+\}/.test(template) && !/:[dq]\}/.test(template) ? LEAST_OPEN : LEAST)) return null;
  return { code, whole: new RegExp(`^${source}${escape(template.slice(from))}$`), names, piece: pieces.reduce((a, b) => (b.length > a.length ? b : a)), letters };
}

let patterns: Pattern[] | null = null;

function all(): Pattern[] {
  patterns ??= (Object.keys(SENTENCES) as Code[]).map(pattern).filter((p) => p !== null).sort((a, b) => b.letters - a.letters);
  return patterns;
}

function unquote(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

/** The words of one whole sentence. */
export function hear(text: string): Words | null {
  for (const p of all()) {
    if (!text.includes(p.piece)) continue;
    const m = p.whole.exec(text);
    if (!m) continue;
    const words: Words = { code: p.code, texts: {}, numbers: {}, inner: {} };
    p.names.forEach(({ name, form }, i) => {
      if (form === 'd') words.numbers[name] = Number(m[i + 1]);
      else words.texts[name] = form === 'q' ? unquote(m[i + 1]) : m[i + 1];
    });
    return words;
  }
  return null;
}

/** Where a text may be taken apart: behind a sentence, at a colon or a semicolon, before a remark in brackets. */
const JOINT = /[.?] (?=[A-Z])|: |; | (?=\()/g;
const BETWEEN: Record<string, string> = { ': ': '：', '; ': '；', ' ': ' ' };

/** Says a text in another language as far as it is recognised; null when nothing of it is. */
export function sayHeard(text: string, say: (w: Words, inner: (text: string) => string | null) => string, depth = 0): string | null {
  if (text.length > LONGEST || depth > DEPTH) return null;
  if (text.includes('\n')) return parts(text, '\n', say, depth);
  const inner = (t: string) => sayHeard(t, say, depth + 1);
  const outside = /^\s*|\s*$/g;
  const bare = text.replace(outside, '');
  if (bare === '') return null;
  const whole = sentence(bare, say, inner);
  if (whole !== null) return whole;
  const joints = [...bare.matchAll(JOINT)].slice(0, JOINTS).map((m) => {
    const joint = BETWEEN[m[0]] ?? '';
    return { joint, left: bare.slice(0, m.index + (joint === '' ? 1 : 0)), right: bare.slice(m.index + m[0].length) };
  });
  // A sentence that is known from its beginning goes before a few known words behind a colon inside it.
  for (const { joint, left, right } of joints) {
    const first = sentence(left, say, inner);
    if (first !== null) return first + joint + (inner(right) ?? right);
  }
  for (const { joint, left, right } of joints) {
    const rest = joint === '：' || joint === '；' ? inner(right) : null;
    if (rest !== null) return left + joint + rest;
  }
  return null;
}

/** A whole sentence, with its full stop or without: one that stands inside another has lost or won it. */
function sentence(text: string, say: Parameters<typeof sayHeard>[1], inner: (text: string) => string | null): string | null {
  const stop = text.endsWith('.');
  const words = hear(text) ?? hear(stop ? text.slice(0, -1) : `${text}.`);
  if (!words) return null;
  const said = say(words, inner).replace(/。+$/, '。');
  return stop && !/[。？]$/.test(said) ? `${said}。` : said;
}

function parts(text: string, between: string, say: Parameters<typeof sayHeard>[1], depth: number): string | null {
  let any = false;
  const said = text.split(between).map((line) => {
    const one = sayHeard(line, say, depth + 1);
    any ||= one !== null;
    return one ?? line;
  });
  return any ? said.join(between) : null;
}
