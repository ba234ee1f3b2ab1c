// The cache lab's figures as a table and as lines.
import type { LabCell, LabPrice, LabPrices, LabResult, LabRow } from '../api/types.gen';

/** Below this share of reused tokens a cell is told to be low. */
const LOW = 0.5;

export interface Column {
  name: string;
  index: number;
  price: LabPrice | undefined;
  estimated: boolean;
}

export function columns(r: LabResult, prices: LabPrices): Column[] {
  return r.classes.map((name, index) => ({ name, index, price: prices.classes.find((p) => p.class === name), estimated: r.cells.some((c) => c.class === name && c.estimated) }));
}

export function cellAt(r: LabResult, strategy: string, name: string): LabCell | undefined {
  return r.cells.find((c) => c.strategy === strategy && c.class === name);
}

export const share = (c: LabCell): number => (c.prompt > 0 ? c.reused / c.prompt : 0);
export const isLow = (c: LabCell): boolean => c.prompt > 0 && share(c) < LOW;

/** The strategy that costs least under a class: money where a price is known, else tokens that were not reused; "" when nothing is predicted. */
export function best(r: LabResult, name: string): string {
  let found: LabCell | undefined;
  for (const c of r.cells) if (c.class === name && c.prompt > 0 && (!found || worth(c) < worth(found))) found = c;
  return found?.strategy ?? '';
}

const worth = (c: LabCell): number => (c.priced ? c.cost : c.prompt - c.reused);

export interface Chart {
  line: string;
  dots: { x: number; y: number; n: number; marked: boolean }[];
  /** places of requests that reported nothing */
  silent: { x: number; n: number }[];
  /** requests that nothing is predicted for; the line has a gap there */
  gaps: { x: number; width: number; n: number }[];
}

/** Reused share per request of one class as steps, and what was reported as dots, in a box of the given size. */
export function chartOf(rows: readonly LabRow[], index: number, width: number, height: number): Chart {
  const step = rows.length > 0 ? width / rows.length : width;
  const y = (part: number) => round(height - Math.max(0, Math.min(1, part)) * height);
  const out: Chart = { line: '', dots: [], silent: [], gaps: [] };
  rows.forEach((r, i) => {
    const x = round(i * step);
    if (r.elsewhere) {
      out.gaps.push({ x, width: round(step), n: r.n });
    } else {
      const at = y(r.prompt > 0 ? (r.reuse[index] ?? 0) / r.prompt : 0);
      out.line += `${i === 0 || rows[i - 1].elsewhere ? 'M' : 'L'}${x} ${at}H${round(x + step)}`;
    }
    const mid = round(x + step / 2);
    const total = r.total > 0 ? r.total : r.prompt;
    if (r.said) out.dots.push({ x: mid, y: y(total > 0 ? r.reported / total : 0), n: r.n, marked: r.marked });
    else out.silent.push({ x: mid, n: r.n });
  });
  return out;
}

const round = (n: number): number => Math.round(n * 10) / 10;

/** Rows of a long session gathered into at most `most` buckets, by the sums of what is known; marks survive, a gap does where nothing else is. */
export function bucketed(rows: readonly LabRow[], most: number): LabRow[] {
  if (rows.length <= most) return [...rows];
  const size = Math.ceil(rows.length / most);
  const out: LabRow[] = [];
  for (let i = 0; i < rows.length; i += size) {
    const part = rows.slice(i, i + size);
    const said = part.filter((r) => r.said);
    const known = part.filter((r) => !r.elsewhere);
    const sum = (list: readonly LabRow[], of: (r: LabRow) => number) => list.reduce((s, r) => s + of(r), 0);
    out.push({
      n: part[0].n, prompt: sum(known, (r) => r.prompt), reuse: known[0]?.reuse.map((_, k) => sum(known, (r) => r.reuse[k] ?? 0)) ?? [], elsewhere: known.length === 0,
      said: said.length > 0, reported: sum(said, (r) => r.reported), total: sum(said, (r) => r.total || r.prompt), marked: part.some((r) => r.marked),
    });
  }
  return out;
}

/** The table for a spreadsheet. */
export function csv(r: LabResult, currency: string): string {
  const lines = [['strategy', 'class', 'prompt_tokens', 'reused_tokens', 'written_tokens', 'estimated', `cost_${currency}`]];
  for (const c of r.cells) lines.push([c.strategy, c.class, String(c.prompt), String(c.reused), String(c.written), String(c.estimated), c.priced ? String(c.cost) : '']);
  return lines.map((l) => l.map((x) => (/[",\n]/.test(x) ? `"${x.replaceAll('"', '""')}"` : x)).join(',')).join('\n') + '\n';
}

/** A price as it was typed; null when it is no number from 0 on. */
export function price(text: string): number | null {
  const n = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(n) && n >= 0 ? n : null;
}
