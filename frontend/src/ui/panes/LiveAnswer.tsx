import { useEffect } from 'react';
import { visible } from '../../model/visible';
import { useApp } from '../../state/store';
import { useWords } from '../words';

/** How near the end in px a view must be to move with a growing answer. */
const NEAR = 80;

/** The answer to the shown request, while it streams. */
export function LiveAnswer({ n, scroller }: { n: number; scroller: React.RefObject<HTMLDivElement | null> }) {
  const { t, f } = useWords();
  const live = useApp((s) => (s.live && s.live.request === n && !s.live.done ? s.live : null));
  const length = (live?.text.length ?? 0) + (live?.reasoning.length ?? 0);
  useEffect(() => {
    const el = scroller.current;
    if (el && length > 0 && el.scrollHeight - el.scrollTop - el.clientHeight < NEAR) el.scrollTop = el.scrollHeight;
  }, [length, scroller]);
  if (!live) return null;
  return (
    <div className="answer" data-testid="live" role="treeitem" aria-level={1}>
      <p className="about">
        <span>{t('live.title')}</span>
        <span>{t('live.pace', { n: live.deltas, time: f.millis(live.millis) })}</span>
      </p>
      {live.reasoning !== '' && <p className="text reasoning">{visible(live.reasoning)}</p>}
      <p className="text">
        {visible(live.text)}
        <i className="caret" />
      </p>
      {live.calls.map((c, i) => (
        <p key={c.id || i} className="call">{visible(`${c.name} ${c.arguments}`)}</p>
      ))}
    </div>
  );
}
