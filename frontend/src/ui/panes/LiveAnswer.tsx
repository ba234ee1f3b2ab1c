import { useEffect } from 'react';
import type { End } from '../../model/end';
import { visible } from '../../model/visible';
import { useApp } from '../../state/store';
import { useWords } from '../words';

/** The answer to the newest request: while it streams, and after, until a later request has it in its history. */
export function LiveAnswer({ n, scroller, end }: { n: number; scroller: React.RefObject<HTMLDivElement | null>; end: End }) {
  const { t, f } = useWords();
  const live = useApp((s) => (s.live && s.live.request === n ? s.live : null));
  const length = (live?.text.length ?? 0) + (live?.reasoning.length ?? 0);
  useEffect(() => {
    if (scroller.current && length > 0) end.grown(scroller.current);
  }, [length, scroller, end]);
  if (!live || (live.done && length === 0 && live.calls.length === 0)) return null;
  return (
    <div className="answer" data-testid="live" role="treeitem" aria-level={1}>
      <p className="about">
        <span>{t(live.done ? 'live.done' : 'live.title')}</span>
        {!live.done && <span>{t('live.pace', { n: live.deltas, time: f.millis(live.millis) })}</span>}
      </p>
      {live.reasoning !== '' && <p className="text reasoning">{visible(live.reasoning)}</p>}
      <p className="text">
        {visible(live.text)}
        {!live.done && <i className="caret" />}
      </p>
      {live.calls.map((c, i) => (
        <p key={c.id || i} className="call">{visible(`${c.name} ${c.arguments}`)}</p>
      ))}
    </div>
  );
}
