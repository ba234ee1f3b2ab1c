import { useMemo } from 'react';
import type { RequestRow } from '../api/types.gen';
import { groups, laneOf } from '../model/foreign';
import { setFilter } from '../state/actions';
import { useApp } from '../state/store';
import { useWords } from './words';

/** Conversations of another agent, each of which can be shown alone. */
export function Conversations({ rows }: { rows: readonly RequestRow[] }) {
  const { t, f } = useWords();
  const filter = useApp((s) => s.filter.trim());
  const list = useMemo(() => groups(rows), [rows]);
  if (list.length === 0) return null;
  return (
    <div className="lanes" role="group" aria-label={t('threads')} data-testid="threads">
      {list.map((g) => {
        const on = filter === g.filter;
        return (
          <button key={g.filter} type="button" className={on ? 'lane-button on' : 'lane-button'} aria-pressed={on} title={g.thread === '' ? t('threads.others') : t('thread.of', { thread: g.thread })} onClick={() => setFilter(on ? '' : g.filter)}>
            {g.thread !== '' && <i className={`lane-dot lane-${laneOf(g.thread)}`} />}
            {g.thread === '' ? t('row.other') : g.thread} <span className="t3">{f.count(g.count)}</span>
          </button>
        );
      })}
    </div>
  );
}
