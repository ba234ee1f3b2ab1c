// How each rung of the ladder is drawn: two rails, base left and this right, with what joins them.
import type { Rung } from '../api/types.gen';

export type RailState = 'none' | 'solid' | 'new' | 'dotted' | 'dotted-bad';

export interface RungDrawing {
  rung: Rung;
  key: string;
  left: { above: RailState; below: RailState };
  right: { above: RailState; below: RailState };
  /** fold: a hatched run; equal: a bar; grew: half grey, half accent; broken: a crossed bar; dotted: same bytes; none */
  join: 'fold-gone' | 'fold' | 'fold-dotted' | 'equal' | 'grew' | 'broken' | 'dotted' | 'none';
  nodes: { left: 'none' | 'solid' | 'bad' | 'hollow'; right: 'none' | 'solid' | 'new' | 'bad' | 'hollow' };
  /** the first difference: the whole row is tinted */
  first: boolean;
  /** parameters stand beside the chain */
  beside: boolean;
}

/** Drawings in order. Links after the first change differ although bytes may be the same: those rails are dotted. */
export function drawLadder(rungs: readonly Rung[]): RungDrawing[] {
  const out: RungDrawing[] = [];
  let first = true;
  let broken = false;
  for (const rung of rungs) {
    const drawing = draw(rung, broken);
    const differs = rung.state === 'grew' || rung.state === 'changed' || rung.state === 'new' || rung.state === 'gone';
    drawing.first = differs && first;
    if (differs) first = false;
    if (rung.state === 'changed' || rung.state === 'gone') broken = true;
    out.push(drawing);
  }
  join(out);
  return out;
}

const BESIDE = new Set(['rest-equal', 'rest-changed']);

function draw(rung: Rung, broken: boolean): RungDrawing {
  const d: RungDrawing = {
    rung, key: `${rung.kind}:${rung.index}:${rung.state}:${rung.count}`,
    left: { above: 'none', below: 'none' }, right: { above: 'none', below: 'none' },
    join: 'none', nodes: { left: 'none', right: 'none' }, first: false,
    beside: BESIDE.has(rung.state) || rung.kind === 'rest',
  };
  if (d.beside) return d;
  const nodes = NODES[rung.state];
  if (nodes) d.nodes = { ...nodes };
  if (rung.state === 'request-only') d.nodes = { left: rung.baseLink === '' ? 'none' : 'hollow', right: rung.nextLink === '' ? 'none' : 'hollow' };
  if (rung.count > 1) d.nodes = { left: 'none', right: 'none' };
  switch (rung.state) {
    case 'equal':
      d.join = rung.count > 1 ? (broken ? 'fold-dotted' : 'fold') : broken ? 'dotted' : 'equal';
      break;
    case 'same-bytes':
      d.join = rung.count > 1 ? 'fold-dotted' : 'dotted';
      break;
    case 'gone':
      if (rung.count > 1) d.join = 'fold-gone';
      break;
    case 'grew':
      d.join = 'grew';
      break;
    case 'changed':
      d.join = 'broken';
      break;
  }
  return d;
}

const NODES: Record<string, RungDrawing['nodes']> = {
  equal: { left: 'solid', right: 'solid' },
  'same-bytes': { left: 'solid', right: 'solid' },
  grew: { left: 'solid', right: 'new' },
  changed: { left: 'bad', right: 'bad' },
  new: { left: 'none', right: 'new' },
  gone: { left: 'bad', right: 'none' },
  'request-only': { left: 'hollow', right: 'hollow' },
};

/** Connects neighbours: each rail runs from the first rung to the last one that stands on it. */
function join(list: readonly RungDrawing[]): void {
  const chain = list.filter((d) => !d.beside);
  const lastLeft = chain.findLastIndex((d) => d.rung.state !== 'new' && d.rung.state !== 'request-only');
  const lastRight = chain.findLastIndex((d) => d.rung.state !== 'gone' && !(d.rung.state === 'request-only' && d.rung.nextLink === ''));
  let broken = false;
  for (let i = 0; i + 1 < chain.length; i++) {
    const here = chain[i];
    const next = chain[i + 1];
    broken ||= isBreak(here);
    const old: RailState = !broken ? 'solid' : isBreak(here) || isBreak(next) ? 'dotted-bad' : 'dotted';
    if (i < lastLeft) here.left.below = next.left.above = old;
    if (i < lastRight) here.right.below = next.right.above = isFresh(here) || next.rung.state === 'new' ? 'new' : old;
  }
  if (chain.length > 0 && chain[0].rung.count > 1) {
    chain[0].left.above = 'solid';
    chain[0].right.above = 'solid';
  }
}

const isBreak = (d: RungDrawing) => d.rung.state === 'changed' || d.rung.state === 'gone';
const isFresh = (d: RungDrawing) => d.rung.state === 'new' || d.rung.state === 'grew';
