// The reuse line: predicted as steps, reported as dots, over the requests of a session.
import type { RequestRow } from '../api/types.gen';
import { rowLook } from './verdict';

/** Beyond this many requests one step is a bucket, and shows its worst. */
export const MAX_STEPS = 300;

export interface Step {
  /** requests in the bucket, by number, inclusive */
  from: number;
  to: number;
  /** 0 to 1; null where nothing was predicted */
  predicted: number | null;
  /** 0 to 1; null where nothing was reported */
  reported: number | null;
  /** the request was answered and said nothing: a hollow dot on the floor */
  silent: boolean;
  tone: 'calm' | 'warn' | 'bad';
}

export function steps(rows: readonly RequestRow[], limit = MAX_STEPS): Step[] {
  const per = Math.max(1, Math.ceil(rows.length / limit));
  const out: Step[] = [];
  for (let i = 0; i < rows.length; i += per) out.push(bucket(rows.slice(i, i + per)));
  return out;
}

function bucket(rows: readonly RequestRow[]): Step {
  const step: Step = {
    from: rows[0].n, to: rows[rows.length - 1].n, predicted: null, reported: null, silent: false, tone: 'calm',
  };
  for (const r of rows) {
    const p = r.predicted && r.predicted.total > 0 ? r.predicted.reused / r.predicted.total : null;
    step.predicted = least(step.predicted, p);
    const said = r.usage.reported && r.usage.cachedSaid && r.usage.prompt > 0;
    step.reported = least(step.reported, said ? r.usage.cached / r.usage.prompt : null);
    if (!said && r.status === 'done') step.silent = true;
    const tone = rowLook(r).tone;
    if (tone === 'bad' || (tone === 'warn' && step.tone === 'calm')) step.tone = tone;
  }
  return step;
}

function least(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.min(a, b);
}

export interface SparkShape {
  /** path of the predicted steps */
  line: string;
  breaks: { path: string; tone: 'warn' | 'bad' }[];
  dots: { x: number; y: number; silent: boolean }[];
}

/** Places of the drawing, in a box of width × height units; the top and the floor keep a margin for the dots. */
export function sparkShape(list: readonly Step[], width: number, height: number): SparkShape {
  const shape: SparkShape = { line: '', breaks: [], dots: [] };
  if (list.length === 0) return shape;
  const w = width / list.length;
  const y = (v: number) => round(4 + (1 - Math.max(0, Math.min(1, v))) * (height - 9));
  let pen = false;
  list.forEach((s, i) => {
    const x0 = round(i * w);
    const x1 = round((i + 1) * w);
    if (s.predicted !== null) {
      shape.line += `${pen ? 'L' : 'M'}${x0} ${y(s.predicted)}L${x1} ${y(s.predicted)}`;
      pen = true;
      if (s.tone !== 'calm') shape.breaks.push({ path: `M${x0} ${y(s.predicted)}H${x1}`, tone: s.tone });
    } else pen = false;
    const mid = round((x0 + x1) / 2);
    if (s.reported !== null) shape.dots.push({ x: mid, y: y(s.reported), silent: false });
    else if (s.silent) shape.dots.push({ x: mid, y: height - 5, silent: true });
  });
  return shape;
}

/** Where the step of a request stands in a drawing of that width; null where it has none. */
export function bandOf(list: readonly Step[], n: number, width: number): { x: number; width: number } | null {
  const at = list.findIndex((s) => n >= s.from && n <= s.to);
  if (at < 0) return null;
  const x = round((at * width) / list.length);
  return { x, width: round(round(((at + 1) * width) / list.length) - x) };
}

/** The step under a place of the drawing. */
export function stepAt(list: readonly Step[], x: number, width: number): Step | undefined {
  if (list.length === 0 || width <= 0) return undefined;
  return list[Math.max(0, Math.min(list.length - 1, Math.floor((x / width) * list.length)))];
}

const round = (n: number) => Math.round(n * 100) / 100;
