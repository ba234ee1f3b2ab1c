// The history pane as a flat list, and what each entry looks like.
import type { HiddenRun, MessageView, RequestView } from '../api/types.gen';

export type Entry = { type: 'message'; message: MessageView } | { type: 'hidden'; run: HiddenRun };

/** Messages with the runs that left the window standing in their place. */
export function entries(view: RequestView): Entry[] {
  const out: Entry[] = [];
  const runs = [...view.hidden].sort((a, b) => a.before - b.before);
  let next = 0;
  for (const message of view.messages) {
    while (next < runs.length && runs[next].before <= message.index) out.push({ type: 'hidden', run: runs[next++] });
    out.push({ type: 'message', message });
  }
  while (next < runs.length) out.push({ type: 'hidden', run: runs[next++] });
  return out;
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
  const broken = list.findIndex((e) => (e.type === 'message' ? e.message.changed === 'changed' : e.run.request === n));
  return broken >= 0 ? { index: broken, align: 'start' } : { index: list.length - 1, align: 'end' };
}

/** "messages[1–15]", or "" without messages. */
export function span(view: RequestView): string {
  if (view.messages.length === 0) return '';
  const first = view.messages[0].index;
  const last = view.messages[view.messages.length - 1].index;
  return first === last ? `messages[${first}]` : `messages[${first}–${last}]`;
}

/** Bytes of the history's messages. */
export function historyBytes(view: RequestView): number {
  return view.messages.reduce((sum, m) => sum + m.bytes, 0);
}
