// Rungs as they come are folded as far as can be. For reading, the last equal part and the new ones stand alone.
import type { PartView, RequestView, Rung } from '../api/types.gen';

/** New parts that are drawn one by one; a longer run stays folded. */
const MAX_UNFOLDED = 40;

/** The rungs to draw. `view` is the later request, where its parts' links are known; null leaves runs folded. */
export function refine(rungs: readonly Rung[], view: RequestView | null): Rung[] {
  const out: Rung[] = [];
  let run: Rung[] = [];
  const flush = () => {
    if (run.length > 0) out.push(...equalRun(run, view));
    run = [];
  };
  for (const r of oneCarrier(rungs)) {
    if (r.state === 'equal' && r.kind !== 'rest') {
      run.push(r);
      continue;
    }
    flush();
    if (r.state === 'new' && r.count > 1 && r.count <= MAX_UNFOLDED) out.push(...newRun(r, view));
    else out.push(r);
  }
  flush();
  return out;
}

/** Both requests' carriers on one rung, at the end of the chain: neither is part of what has to stand. */
function oneCarrier(rungs: readonly Rung[]): Rung[] {
  const carriers = rungs.filter((r) => r.state === 'request-only');
  if (carriers.length === 0) return [...rungs];
  const next = carriers.find((r) => r.nextLink !== '') ?? carriers[0];
  const merged: Rung = { ...next, count: 1, baseLink: carriers.find((r) => r.baseLink !== '')?.baseLink ?? '' };
  const others = rungs.filter((r) => r.state !== 'request-only');
  const end = others.findIndex((r) => r.kind === 'rest');
  return end < 0 ? [...others, merged] : [...others.slice(0, end), merged, ...others.slice(end)];
}

/** Equal neighbours of all kinds as one fold, with the last part on a rung of its own. */
function equalRun(run: readonly Rung[], view: RequestView | null): Rung[] {
  const total = run.reduce((n, r) => n + r.count, 0);
  const last = run[run.length - 1];
  const at = last.index + last.count - 1;
  const part = last.count === 1 ? null : partAt(view, last.kind, at);
  const alone: Rung | null = last.count === 1 ? last : part ? { ...last, index: at, count: 1, role: roleOf(part), name: part.name, baseLink: part.link, nextLink: part.link, delta: 0 } : null;
  if (total === 1) return [last];
  if (!alone) return [fold(run, last.kind, at, total)];
  const before = last.count > 1 ? last : run[run.length - 2];
  return [fold(run, before.kind, last.count > 1 ? at - 1 : before.index + before.count - 1, total - 1), alone];
}

/** A fold of `count` parts that ends with part `end` of a kind. */
function fold(run: readonly Rung[], kind: string, end: number, count: number): Rung {
  return { ...run[0], kind, index: end - count + 1, count, role: '', name: '' };
}

function newRun(r: Rung, view: RequestView | null): Rung[] {
  const parts = Array.from({ length: r.count }, (_, i) => partAt(view, r.kind, r.index + i));
  if (parts.some((p) => p === null)) return [r];
  return (parts as PartView[]).map((p) => ({ ...r, index: p.index, count: 1, role: roleOf(p), name: p.name, baseLink: '', nextLink: p.link, delta: p.bytes }));
}

function partAt(view: RequestView | null, kind: string, index: number): PartView | null {
  if (!view) return null;
  if (kind === 'tool') return view.tools.find((p) => p.index === index) ?? null;
  if (kind !== 'message') return null;
  if (index === view.system.index && view.system.bytes > 0) return view.system;
  return view.messages.find((p) => p.index === index) ?? null;
}

function roleOf(p: PartView): string {
  return (p as { role?: string }).role ?? (p.kind === 'message' ? 'system' : '');
}
