// Long text as rows of equal height, so that a body of one endless line can be virtualised. Nothing is dropped: the
// rows joined are the text.

export interface TextRow {
  text: string;
  /** place in UTF-16 units, in the whole text */
  start: number;
  /** number of the line from 1, when the row begins one; 0 for a continued row */
  line: number;
}

/** Rows of at most `columns` cells; CJK and full-width characters take two. A surrogate pair is never split. */
export function wrapRows(text: string, columns: number): TextRow[] {
  return extendRows([], text, columns, 0);
}

/** Rows of a text that grew, from those of what it was: those that end before `same`, up to where both texts agree, stay. */
export function extendRows(rows: TextRow[], text: string, columns: number, same: number): TextRow[] {
  const limit = Math.max(8, columns);
  let start = 0;
  let line = 1;
  let first = true;
  let width = 0;
  // a row that ends exactly there may go on
  while (rows.length > 0 && rows[rows.length - 1].start + rows[rows.length - 1].text.length >= same) {
    const last = rows[rows.length - 1];
    start = last.start;
    first = last.line > 0;
    line = last.line;
    rows.pop();
  }
  if (!first) for (let i = rows.length - 1; i >= 0 && line === 0; i--) line = rows[i].line;
  if (rows.length === 0) [start, line, first] = [0, 1, true];
  const push = (end: number) => {
    rows.push({ text: text.slice(start, end), start, line: first ? line : 0 });
    start = end;
    width = 0;
  };
  for (let i = start; i < text.length; ) {
    const code = text.charCodeAt(i);
    if (code === 10) {
      push(i + 1);
      line++;
      first = true;
      i++;
      continue;
    }
    const pair = code >= 0xd800 && code < 0xdc00 && i + 1 < text.length;
    const cells = code === 9 ? 4 : pair || isWide(code) ? 2 : 1;
    if (width + cells > limit && i > start) {
      push(i);
      first = false;
    }
    width += cells;
    i += pair ? 2 : 1;
  }
  if (start < text.length || rows.length === 0) push(text.length);
  return rows;
}

/** East Asian wide and full-width characters of the basic plane. */
export function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) || (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6)
  );
}
