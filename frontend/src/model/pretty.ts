// Pretty-printing by tokens: every string and number stays as it was sent, digit by digit; only white space between
// tokens is set anew. Works on a piece of a body too: what doesn't look like JSON is passed through.

const INDENT = '  ';
/** Beyond this depth lines are no longer indented further: a hostile body must not produce lines of spaces only. */
const MAX_INDENT = 40;

export function prettyTokens(text: string): string {
  return new PrettyText().read(text).text;
}

/** Pretty-prints a text that grows: what was read of it before is not read again. */
export class PrettyText {
  private done = '';
  private at = 0;
  private depth = 0;

  /** The whole text so far; `same` is up to where it is what it was at the reading before, in characters. */
  read(text: string): { text: string; same: number } {
    const same = this.done.length;
    const got = pretty(text, this.at, this.depth);
    const whole = this.done + got.out + got.open;
    this.done += got.out;
    [this.at, this.depth] = [got.at, got.depth];
    return { text: whole, same };
  }
}

/** Tokens from a place on. The last one, which may go on in what is not here yet, is given apart. */
function pretty(text: string, from: number, depth: number): { out: string; open: string; at: number; depth: number } {
  let out: string[] = [];
  let before = '';
  let last = { at: from, depth };
  const newline = () => '\n' + INDENT.repeat(Math.min(depth, MAX_INDENT));
  for (let i = from; i < text.length; ) {
    const c = text[i];
    if (i > from) before += out.join('');
    out = [];
    last = { at: i, depth };
    if (c === '"') {
      const end = stringEnd(text, i);
      out.push(text.slice(i, end));
      i = end;
    } else if (c === '{' || c === '[') {
      const close = skipSpace(text, i + 1);
      if (text[close] === (c === '{' ? '}' : ']')) {
        out.push(c + text[close]);
        i = close + 1;
      } else {
        depth++;
        out.push(c, newline());
        i = close;
      }
    } else if (c === '}' || c === ']') {
      depth = Math.max(0, depth - 1);
      out.push(newline(), c);
      i++;
    } else if (c === ',') {
      out.push(c, newline());
      i = skipSpace(text, i + 1);
    } else if (c === ':') {
      out.push(': ');
      i = skipSpace(text, i + 1);
    } else if (isSpace(c)) {
      i = skipSpace(text, i);
    } else {
      const end = scalarEnd(text, i);
      out.push(text.slice(i, end));
      i = end;
    }
  }
  return { out: before, open: out.join(''), at: last.at, depth: last.depth };
}

function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}

function scalarEnd(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && !/[\s"{}[\],:]/.test(text[i])) i++;
  return i;
}

const isSpace = (c: string) => c === ' ' || c === '\n' || c === '\t' || c === '\r';

function skipSpace(text: string, i: number): number {
  while (i < text.length && isSpace(text[i])) i++;
  return i;
}
