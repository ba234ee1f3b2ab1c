// A search over all sessions, as it grows slice by slice.
import type { SearchHit, SearchPage, SearchSkip } from '../api/types.gen';

/** Hits that are listed; whoever needs more asks more precisely. */
export const MOST_HITS = 500;

export interface SearchState {
  text: string;
  hits: SearchHit[];
  skipped: SearchSkip[];
  searched: number;
  sessions: number;
  /** idle: nothing asked. stopped: by a person. full: more hits than are listed. */
  phase: 'idle' | 'running' | 'done' | 'stopped' | 'full' | 'failed';
  error: string;
}

export const NO_SEARCH: SearchState = { text: '', hits: [], skipped: [], searched: 0, sessions: 0, phase: 'idle', error: '' };

export function begin(text: string): SearchState {
  return { ...NO_SEARCH, text, phase: text.trim() === '' ? 'idle' : 'running' };
}

/** The search after one more slice. */
export function grow(s: SearchState, page: SearchPage): SearchState {
  const hits = [...s.hits, ...page.hits].slice(0, MOST_HITS);
  const full = s.hits.length + page.hits.length >= MOST_HITS && !page.done;
  return { ...s, hits, skipped: [...s.skipped, ...page.skipped], searched: page.searched, sessions: page.sessions, phase: page.done ? 'done' : full ? 'full' : 'running' };
}

/** Hits by session, in the order in which they came. */
export function bySession(hits: readonly SearchHit[]): { session: string; name: string; hits: SearchHit[] }[] {
  const groups: { session: string; name: string; hits: SearchHit[] }[] = [];
  for (const h of hits) {
    const last = groups[groups.length - 1];
    if (last?.session === h.session) last.hits.push(h);
    else groups.push({ session: h.session, name: h.name, hits: [h] });
  }
  return groups;
}
