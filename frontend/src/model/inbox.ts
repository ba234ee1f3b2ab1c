// Events: numbered, without content. What they touch is marked stale and pulled; a gap in the numbers makes all stale.
import type { Event } from '../api/types.gen';

export type Stale = 'snapshot' | 'timeline' | 'view' | 'diff' | 'live' | 'traffic' | 'jobs' | 'e2e' | 'lab';

export const EVERYTHING: readonly Stale[] = ['snapshot', 'timeline', 'view', 'diff', 'live', 'traffic', 'jobs', 'e2e', 'lab'];

export interface Watch {
  session: string;
  n: number;
  base: { session: string; n: number } | null;
}

export interface Accepted {
  /** the highest number seen */
  seq: number;
  stale: readonly Stale[];
}

/** Topics of what a snapshot holds whole. Of all else its number says nothing: that is pulled apart, maybe before the event. */
const INCLUDED: ReadonlySet<string> = new Set(['sessions', 'state']);

/** What one event makes stale. `heard` is the highest number that came as an event, `included` that of the last snapshot:
 *  only what the snapshot itself holds is dropped by its number, and it hides no gap between events. */
export function accept(heard: number, included: number, e: Event, watch: Watch): Accepted {
  const seq = Math.max(heard, e.seq);
  if (e.seq > heard + 1) return { seq, stale: EVERYTHING };
  return { seq, stale: e.seq <= included && INCLUDED.has(e.topic) ? [] : touched(e, watch) };
}

function touched(e: Event, watch: Watch): readonly Stale[] {
  const [session, number] = e.id.split('/');
  const here = e.id === '' || session === watch.session;
  switch (e.topic) {
    case 'sessions':
    case 'state':
      return ['snapshot'];
    case 'timeline':
      return here ? ['timeline'] : ['snapshot'];
    case 'request': {
      const n = Number(number);
      if (here && n === watch.n) return ['timeline', 'view', 'diff'];
      if (watch.base && watch.base.session === session && watch.base.n === n) return ['timeline', 'diff'];
      return here ? ['timeline'] : [];
    }
    case 'live':
      return here ? ['live'] : [];
    case 'traffic':
      return ['traffic'];
    case 'jobs':
      return ['jobs'];
    case 'lab':
      return ['lab'];
    case 'e2e':
      return ['e2e'];
    default:
      return EVERYTHING;
  }
}
