// Pretty-printing by tokens: every string and number stays as it was sent, digit by digit; only white space between
// tokens is set anew. Works on a piece of a body too: what doesn't look like JSON is passed through.

const INDENT = '  ';
/** Beyond this depth lines are no longer indented further: a hostile body must not produce lines of spaces only. */
const MAX_INDENT = 40;

export function prettyTokens(text: string): string {
  const out: string[] = [];
  let depth = 0;
  const newline = () => '\n' + INDENT.repeat(Math.min(depth, MAX_INDENT));
  for (let i = 0; i < text.length; ) {
    const c = text[i];
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
  return out.join('');
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
