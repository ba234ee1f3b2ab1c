// More of a long history: a view carries the part that is shown first, the rest is brought as a person goes there.
import type { MessageView, RequestRef, RequestView } from '../api/types.gen';
import { joined, type Side } from '../model/history';
import { service, toast } from './actions';
import { get, set } from './store';
import { message } from './sync';

/** Messages brought at once: some screens full. */
const STEP = 400;
/** Messages asked for at once where all are wanted: the most that the program gives. */
const ALL_STEP = 1000;

/** Brings what stands before or behind the shown part, or goes to an end; `before` hears of it before it is drawn. False when nothing came. */
export async function moreHistory(side: Side, before: (next: RequestView) => void = () => undefined): Promise<boolean> {
  const { view, choice } = get();
  if (!view) return false;
  const h = view.history;
  const end = h.from + view.messages.length;
  const from = { before: Math.max(0, h.from - STEP), after: end, start: 0, end: Math.max(0, h.total - STEP) }[side];
  const count = side === 'before' ? h.from - from : STEP;
  try {
    const more = await service().messages({ session: choice.session, n: view.row.n }, from, count);
    const now = get().view;
    if (!now || now.row.n !== view.row.n || get().choice.session !== choice.session) return false;
    const next = joined(now, from, more);
    before(next);
    set({ view: next });
    return true;
  } catch (e) {
    toast(message(e), 'bad');
    return false;
  }
}

/** The whole history, for copying. */
export async function wholeHistory(ref: RequestRef, total: number): Promise<MessageView[]> {
  const out: MessageView[] = [];
  while (out.length < total) {
    const more = await service().messages(ref, out.length, ALL_STEP);
    if (more.length === 0) break;
    out.push(...more);
  }
  return out;
}
