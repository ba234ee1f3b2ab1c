// Runs a search slice by slice. A new one, or a stop, ends the one before: nothing runs between two slices.
import type { SearchPlace } from '../api/types.gen';
import { begin, grow } from '../model/search';
import { service } from './actions';
import { get, set } from './store';
import { message } from './sync';

const START: SearchPlace = { session: '', request: 0, event: 0, part: 0 };

const running = { number: 0 };

export async function search(text: string): Promise<void> {
  const mine = ++running.number;
  set({ search: begin(text) });
  try {
    for (let from = START; get().search.phase === 'running'; ) {
      const page = await service().search({ text, from });
      if (mine !== running.number) return;
      set({ search: grow(get().search, page) });
      from = page.next;
    }
  } catch (e) {
    if (mine === running.number) set({ search: { ...get().search, phase: 'failed', error: message(e) } });
  }
}

export function stopSearch(): void {
  running.number++;
  const { search: s } = get();
  if (s.phase === 'running') set({ search: { ...s, phase: 'stopped' } });
}
