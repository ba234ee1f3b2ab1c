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

/** Topics of what no snapshot includes: its number says nothing of them. */
const APART: ReadonlySet<string> = new Set(['jobs', 'e2e', 'lab', 'live', 'traffic']);

/** What one event makes stale. Events that the snapshot already includes change nothing. */
export function accept(seq: number, e: Event, watch: Watch): Accepted {
  if (e.seq <= seq) return { seq, stale: APART.has(e.topic) ? touched(e, watch) : [] };
  if (e.seq > seq + 1) return { seq: e.seq, stale: EVERYTHING };
  return { seq: e.seq, stale: touched(e, watch) };
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
