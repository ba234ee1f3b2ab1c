// Lines of the block as a person reads them. They come as sent; what does not fit the form is shown whole as it is.

export interface VisibleItem {
  id: string;
  kind: string;
  title: string;
  content: string;
}

/** `[id] kind: title — content`; id and kind may be missing. */
export function visibleItem(line: string): VisibleItem {
  const m = /^(?:\[([^\]]*)\] )?([\s\S]*)$/.exec(line);
  const rest = m?.[2] ?? line;
  const cut = rest.indexOf(' — ');
  const head = cut < 0 ? rest : rest.slice(0, cut);
  const content = cut < 0 ? '' : rest.slice(cut + 3);
  const colon = /^([A-Za-z][\w-]{0,39}): ([\s\S]*)$/.exec(head);
  return { id: m?.[1] ?? '', kind: colon?.[1] ?? '', title: colon ? colon[2] : head, content };
}

export interface ActionItem {
  command: string;
  label: string;
  risk: string;
  confirm: boolean;
}

const CONFIRM = ' [asks for confirmation]';

/** `command — label — effect [risk …] [asks for confirmation]`. The command is exact, to be copied. */
export function actionItem(line: string): ActionItem {
  let rest = line;
  const confirm = rest.endsWith(CONFIRM);
  if (confirm) rest = rest.slice(0, -CONFIRM.length);
  const risk = / \[risk ([^\]]*)\]$/.exec(rest);
  if (risk) rest = rest.slice(0, risk.index);
  const [command, ...words] = rest.split(' — ');
  return { command, label: words.join(' — '), risk: risk?.[1] ?? '', confirm };
}

export interface HandleItem {
  id: string;
  label: string;
}

export function handleItem(line: string): HandleItem {
  const [id, ...words] = line.split(' — ');
  return { id, label: words.join(' — ') };
}

export interface NoticeItem {
  app: string;
  text: string;
}

export function noticeItem(line: string): NoticeItem {
  const cut = line.indexOf(' — ');
  return cut < 0 ? { app: '', text: line } : { app: line.slice(0, cut), text: line.slice(cut + 3) };
}

export interface DiffLine {
  sign: '+' | '-' | ' ';
  text: string;
}

/** Lines beyond this are not aligned: a block is bounded well below it. */
const MAX_ALIGN = 1500;

/** The difference of two blocks by lines (longest common subsequence). */
export function lineDiff(before: string, after: string): DiffLine[] {
  const a = before === '' ? [] : before.split('\n');
  const b = after === '' ? [] : after.split('\n');
  if (a.length > MAX_ALIGN || b.length > MAX_ALIGN) {
    return [...a.map((text) => ({ sign: '-' as const, text })), ...b.map((text) => ({ sign: '+' as const, text }))];
  }
  const width = b.length + 1;
  const lcs = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lcs[i * width + j] = a[i] === b[j] ? lcs[(i + 1) * width + j + 1] + 1 : Math.max(lcs[(i + 1) * width + j], lcs[i * width + j + 1]);
    }
  }
  const out: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({ sign: ' ', text: a[i++] });
      j++;
    } else if (i < a.length && (j >= b.length || lcs[(i + 1) * width + j] >= lcs[i * width + j + 1])) {
      out.push({ sign: '-', text: a[i++] });
    } else out.push({ sign: '+', text: b[j++] });
  }
  return out;
}
