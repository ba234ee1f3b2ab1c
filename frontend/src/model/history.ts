// The history pane as a flat list, and what each entry looks like.
import type { HiddenRun, MessageView, RequestView } from '../api/types.gen';

export type Entry = { type: 'message'; message: MessageView } | { type: 'hidden'; run: HiddenRun } | { type: 'more'; side: 'before' | 'after'; count: number };

/** Where more of a history is wanted: beside the part that is here, or at one of its ends. */
export type Side = 'before' | 'after' | 'start' | 'end';

/** Messages with the runs that left the window standing in their place, and what stands before and behind the part that is here. */
export function entries(view: RequestView): Entry[] {
  const out: Entry[] = [];
  const runs = [...view.hidden].sort((a, b) => a.before - b.before);
  let next = 0;
  const { from, total, index } = view.history;
  const behind = total - from - view.messages.length;
  if (from > 0) out.push({ type: 'more', side: 'before', count: from });
  while (next < runs.length && from > 0 && runs[next].before < index + from) next++; // it stands in the part that is not here
  for (const message of view.messages) {
    while (next < runs.length && runs[next].before <= message.index) out.push({ type: 'hidden', run: runs[next++] });
    out.push({ type: 'message', message });
  }
  if (behind > 0) out.push({ type: 'more', side: 'after', count: behind });
  else while (next < runs.length) out.push({ type: 'hidden', run: runs[next++] });
  return out;
}

/** A view with another part of its history: beside the part that it has both are kept, else the new one replaces it. */
export function joined(view: RequestView, from: number, more: MessageView[]): RequestView {
  const have = view.history.from;
  const end = have + view.messages.length;
  if (from + more.length === have) return { ...view, messages: [...more, ...view.messages], history: { ...view.history, from } };
  if (from === end) return { ...view, messages: [...view.messages, ...more] };
  return { ...view, messages: more, history: { ...view.history, from } };
}

/** A view that was pulled anew, with what was brought of its history before. */
export function kept(old: RequestView | null, fresh: RequestView): RequestView {
  if (!old || old.row.n !== fresh.row.n || old.row.staged !== fresh.row.staged || old.row.proof !== fresh.row.proof || old.history.total !== fresh.history.total) return fresh;
  if (old.messages.length === 0 || fresh.messages.length === 0 || old.messages[0].leaf === fresh.messages[0].leaf && old.messages.length === fresh.messages.length) return fresh;
  const end = old.history.from + old.messages.length;
  const last = fresh.history.from + fresh.messages.length;
  return old.history.from <= fresh.history.from && end >= last && old.system.leaf === fresh.system.leaf ? { ...fresh, messages: old.messages, history: old.history } : fresh;
}

/** A view whose messages are those of the one before wherever nothing about them differs: what is drawn of them stays. */
export function shared(old: RequestView | null, fresh: RequestView): RequestView {
  if (!old || old.messages.length === 0) return fresh;
  const before = new Map(old.messages.map((m) => [m.index, m]));
  return { ...fresh, messages: fresh.messages.map((m) => {
    const was = before.get(m.index);
    return was && alike(was, m) ? was : m;
  }) };
}

/** Whether two JSON values are the same. */
function alike(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => alike((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]));
}

/** Which tool each tool message answers, by its index: results follow their calls in order. */
export function answeredTools(list: readonly MessageView[]): ReadonlyMap<number, string> {
  const out = new Map<number, string>();
  let open: string[] = [];
  for (const m of list) {
    if (m.role === 'assistant') open = m.calls.map((c) => c.name);
    else if (m.role === 'tool' && open.length > 0) out.set(m.index, open.shift() ?? '');
  }
  return out;
}

export type Spine = 'equal' | 'new' | 'grew' | 'broken' | 'hidden';

/** The spine beside a message: grey as sent before, accent where new, red where an older one changed. */
export function spineOf(m: MessageView): Spine {
  if (m.changed === 'new') return 'new';
  if (m.changed === 'grew') return 'grew';
  return m.changed === 'changed' ? 'broken' : 'equal';
}

export type CardState = 'pending' | 'just-sealed' | 'sealed' | 'rewritten';

export function cardState(m: MessageView): CardState {
  if (m.changed === 'changed') return 'rewritten';
  const state = m.record?.state;
  return state === 'pending' || state === 'just-sealed' ? state : 'sealed';
}

/** Old sealed records fold to two lines; whatever is new or in doubt stands open. */
export function startsOpen(m: MessageView): boolean {
  return cardState(m) !== 'sealed';
}

/** The user's message that governs a place in the list: the last one at or before it. -1 when none. */
export function governing(list: readonly Entry[], at: number): number {
  for (let i = Math.min(at, list.length - 1); i >= 0; i--) {
    const e = list[i];
    if (e.type === 'message' && e.message.role === 'user') return i;
  }
  return -1;
}

/** The entry a freshly chosen request is shown at: where it broke or lost messages, else its end. */
export function landing(list: readonly Entry[], n: number): { index: number; align: 'start' | 'end' } {
  const broken = list.findIndex((e) => (e.type === 'message' ? e.message.changed === 'changed' : e.type === 'hidden' && e.run.request === n));
  return broken >= 0 ? { index: broken, align: 'start' } : { index: list.length - 1, align: 'end' };
}

/** "messages[1–15]", or "" without messages. */
export function span(view: RequestView): string {
  const { index: first, total } = view.history;
  if (total === 0) return '';
  const last = first + total - 1;
  return first === last ? `messages[${first}]` : `messages[${first}–${last}]`;
}

/** Bytes of the history's messages. */
export function historyBytes(view: RequestView): number {
  return view.history.bytes;
}
