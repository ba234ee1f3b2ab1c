// The fixture's comparison of two requests: ladder, hunks, verdict. Simpler than the program's, and only for its data.
import type { DiffView, Hunk, HunkLine, PartView, RequestRef, Rung, VerdictView } from '../api/types.gen';
import type { Built } from './build';

interface Pair {
  a: PartView | null;
  b: PartView | null;
  state: string;
}

function role(p: PartView): string {
  const r = (p as { role?: string }).role;
  return p.kind === 'tool' || p.kind === 'model' ? '' : r ?? (p.index === 0 ? 'system' : 'user');
}

/** Pairs the parts in order. A block that is missing in the later request is skipped as gone. */
function pairUp(a: PartView[], b: PartView[]): Pair[] {
  const out: Pair[] = [];
  let i = 0;
  for (let j = 0; j < b.length; j++) {
    const last = j === b.length - 1;
    const far = a.findIndex((p, k) => k > i + 1 && p.leaf === b[j].leaf);
    if (i < a.length && a[i].leaf !== b[j].leaf && far > i && !last) while (i < far) out.push({ a: a[i++], b: null, state: 'gone' });
    const left = i < a.length && !(i === a.length - 1 && !last) ? a[i] : last ? (a[a.length - 1] ?? null) : null;
    if (left && !last) i++;
    out.push({ a: left, b: b[j], state: last ? 'request-only' : state(left, b[j]) });
  }
  return out;
}

function state(a: PartView | null, b: PartView): string {
  if (!a) return 'new';
  if (a.link === b.link) return 'equal';
  if (a.leaf === b.leaf) return 'same-bytes';
  return b.text.startsWith(a.text) ? 'grew' : 'changed';
}

function rung(p: Pair, claimed: boolean): Rung {
  const part = p.b ?? p.a;
  if (!part) throw new Error('a pair of nothing');
  const delta = p.state === 'new' ? part.bytes : p.state === 'gone' ? part.bytes : (p.b?.bytes ?? 0) - (p.a?.bytes ?? 0);
  return {
    kind: part.kind, index: part.index, count: 1, role: role(part), name: part.name, state: p.state, baseLink: p.a && p.state !== 'new' ? p.a.link : '', nextLink: p.b?.link ?? '',
    delta, claimed,
  };
}

/** Folds runs of rungs in one state; the last equal one stays. */
function fold(rungs: Rung[]): Rung[] {
  const out: Rung[] = [];
  for (let i = 0; i < rungs.length; ) {
    let j = i;
    while (j + 1 < rungs.length && rungs[j + 1].state === rungs[i].state) j++;
    const keep = rungs[i].state === 'equal' ? j - 1 : rungs[i].state === 'same-bytes' || rungs[i].state === 'gone' ? j : i;
    if (keep > i) out.push({ ...rungs[i], kind: rungs[keep].kind, index: rungs[keep].index - (keep - i), count: keep - i + 1 });
    else out.push(rungs[i]);
    i = Math.max(keep, i) + 1;
  }
  return out;
}

function lines(p: Pair): HunkLine[] {
  const old = p.a && p.state !== 'new' ? p.a.text.split('\n') : [];
  const now = p.b ? p.b.text.split('\n') : [];
  if (p.state === 'new') return [...now, ...callLines(p.b)].map((text, i) => ({ sign: '+', old: 0, new: i + 1, text, spans: [] }));
  const out: HunkLine[] = [];
  let same = 0;
  while (same < Math.min(old.length, now.length) && old[same] === now[same]) same++;
  for (let i = 0; i < same; i++) out.push({ sign: ' ', old: i + 1, new: i + 1, text: now[i], spans: [] });
  const spans = (x: string, y: string) => {
    let head = 0;
    while (head < Math.min(x.length, y.length) && x[head] === y[head]) head++;
    return old[same] !== undefined && now[same] !== undefined ? [{ from: head, to: x.length }] : [];
  };
  for (let i = same; i < old.length; i++) out.push({ sign: '-', old: i + 1, new: 0, text: old[i], spans: spans(old[i], now[i] ?? '') });
  for (let i = same; i < now.length; i++) out.push({ sign: '+', old: 0, new: i + 1, text: now[i], spans: spans(now[i], old[i] ?? '') });
  return out;
}

function callLines(p: PartView | null): string[] {
  const calls = (p as { calls?: { name: string; arguments: string }[] } | null)?.calls ?? [];
  return calls.map((c) => `${c.name} ${c.arguments}`);
}

export function compare(base: RequestRef, next: RequestRef, a: Built, b: Built, windowed: boolean): DiffView {
  const claimed = b.view.row.staged;
  const pairs = pairUp(a.parts, b.parts);
  const rungs = fold(pairs.map((p) => rung(p, claimed)));
  const rest = b.view.rest;
  rungs.push({ kind: 'rest', index: 0, count: 1, role: '', name: 'rest', state: 'rest-equal', baseLink: a.view.rest.link || rest.leaf, nextLink: rest.leaf, delta: 0, claimed });
  const hunks: Hunk[] = pairs
    .filter((p) => p.state === 'grew' || p.state === 'changed' || p.state === 'new')
    .map((p) => ({ kind: p.b?.kind ?? '', index: p.b?.index ?? 0, role: p.b ? role(p.b) : '', state: p.state, lines: lines(p) }));
  return { base, next, verdict: judge(pairs, windowed), rungs, hunks, cut: false };
}

function judge(pairs: Pair[], windowed: boolean): VerdictView {
  const first = pairs.find((p) => p.state !== 'equal' && p.state !== 'request-only');
  const changed = pairs.find((p) => p.state === 'changed');
  const at = changed ?? first;
  const part = at?.b ?? at?.a ?? null;
  const verdict = changed ? 'rewritten' : windowed ? 'windowed' : first?.state === 'grew' ? 'sealed' : 'extended';
  let offset = 0;
  const x = at?.a?.text ?? '';
  const y = at?.b?.text ?? '';
  if (at?.a && at.b) while (offset < Math.min(x.length, y.length) && x[offset] === y[offset]) offset++;
  const lost = changed ? pairs.slice(pairs.indexOf(changed)).reduce((n, p) => n + (p.a && p.state !== 'request-only' && p.state !== 'new' ? p.a.bytes : 0), 0) : 0;
  return {
    verdict, planned: !changed, causes: [], partKind: part?.kind ?? '', partIndex: part?.index ?? 0, path: part ? `$.messages[${part.index}]${at?.state === 'new' ? '' : '.content'}` : '',
    partOffset: offset, bodyOffset: (part?.offset ?? 0) + offset, historyLost: lost, before: x.slice(offset, offset + 60), after: y.slice(offset, offset + 60), notes: [], noteWords: [],
  };
}
