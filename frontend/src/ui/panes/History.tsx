import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { DiffView, HiddenRun, MessageView, RequestView } from '../../api/types.gen';
import { answeredTools, entries, governing, historyBytes, landing, span, spineOf, type Entry, type Side } from '../../model/history';
import { roleClass } from '../../model/record';
import { stepOf } from '../../model/step';
import { End } from '../../model/end';
import { visible } from '../../model/visible';
import { openPart } from '../../state/actions';
import { moreHistory } from '../../state/history';
import { useApp } from '../../state/store';
import { Glyph } from '../Glyph';
import { useWords } from '../words';
import { Pictures } from './Attached';
import { Composer } from './Composer';
import { ForeignMessage } from './ForeignMessage';
import { LiveAnswer } from './LiveAnswer';
import { OperationCard } from './OperationCard';

/** Height in px that a message is taken to have until it is measured. */
const GUESS = 44;
/** The sticky line of the governing user message. */
const STICKY = 28;

/** What a rewritten record said before, from the diff that is shown. */
function wasOf(diff: DiffView | null, m: MessageView): string | undefined {
  if (!diff || m.changed !== 'changed') return undefined;
  const hunk = diff.hunks.find((h) => h.kind === 'message' && h.index === m.index);
  const old = hunk?.lines.filter((l) => l.sign === '-').map((l) => l.text.replace(/^Summary: /, ''));
  return old && old.length > 0 ? old.join('\n') : undefined;
}

function Hidden({ run }: { run: HiddenRun }) {
  const { t, f } = useWords();
  return (
    <div className="msg spine-hidden" role="treeitem" aria-level={1}>
      <span className="index" />
      <div className="say gone">
        <Glyph name="windowed" />
        <span>{t('window.left', { n: run.messages, at: run.request, size: f.size(run.bytes) })}</span>
        <span className="tag">{t('planned')}</span>
      </div>
    </div>
  );
}

function Words({ message, tool }: { message: MessageView; tool?: string }) {
  const { t, f, say } = useWords();
  const silent = message.text === '' && message.images === 0;
  return (
    <div className={`say ${roleClass(message.role)}`}>
      <b>{say(`role.${message.role}`, visible(message.role))}{tool && <span className="mono"> {visible(tool)}</span>}</b>
      {silent && <span className="t3">{t(message.calls.length > 0 ? 'message.silent' : 'message.empty')}</span>}
      {visible(message.text)}
      <Pictures message={message} />
      {message.changed === 'changed' && <span className="changed-note">{t('message.changed')}</span>}
      {!message.whole && (
        <button
          type="button"
          className="link more"
          onClick={() => openPart(`messages[${message.index}]`, message)}
        >
          {t('open.all', { bytes: f.bytes(message.bytes) })}
        </button>
      )}
      {message.role === 'assistant' && message.calls.length > 1 && message.calls.map((c) => (
        <span key={c.id} className="call"><span>{visible(c.name)}</span> {visible(c.arguments)}</span>
      ))}
    </div>
  );
}

/** What of a long history is not here yet, and how to get there. */
function More({ side, count, onMore }: { side: 'before' | 'after'; count: number; onMore: (side: Side) => void }) {
  const { t } = useWords();
  return (
    <div className="msg spine-equal" role="treeitem" aria-level={1} data-testid={`history-${side}`}>
      <span className="index" />
      <div className="say gone">
        <span>{t(side === 'before' ? 'history.before' : 'history.after', { n: count })}</span>
        <button type="button" className="link" onClick={() => onMore(side)}>{t('history.more')}</button>
        <button type="button" className="link" onClick={() => onMore(side === 'before' ? 'start' : 'end')}>{t(side === 'before' ? 'history.start' : 'history.end')}</button>
      </div>
    </div>
  );
}

const Message = memo(function Message({ message: m, was, tool }: { message: MessageView; was?: string; tool?: string }) {
  const spine = m.claimed && m.changed === 'new' ? 'claimed' : spineOf(m);
  return (
    <div className={`msg spine-${spine}`} role="treeitem" aria-level={1} data-testid={`message-${m.index}`}>
      <span className="index">{m.index}</span>
      {m.blocks.length > 0 ? <ForeignMessage message={m} /> : m.record ? <OperationCard key={`${m.leaf}${m.changed}`} message={m} was={was} /> : <Words message={m} tool={tool} />}
    </div>
  );
});

function Placed({ entry, diff, tools, onMore }: { entry: Entry; diff: DiffView | null; tools: ReadonlyMap<number, string>; onMore: (side: Side) => void }) {
  if (entry.type === 'more') return <More side={entry.side} count={entry.count} onMore={onMore} />;
  if (entry.type === 'hidden') return <Hidden run={entry.run} />;
  return <Message message={entry.message} was={wasOf(diff, entry.message)} tool={tools.get(entry.message.index)} />;
}

/** Which step of the agent this request comes from. */
function Cause({ view }: { view: RequestView }) {
  const { t } = useWords();
  const step = useMemo(() => stepOf(view), [view]);
  if (!step) return null;
  const words = (tools: readonly string[]) => t(`step.${step.key}`, { at: step.at, tools: visible(tools.join(', ')) });
  const short = step.tools.length > 1 ? [`${step.tools[0]} +${step.tools.length - 1}`] : step.tools;
  return <span className="t2 s11 cut" data-testid="comes-from" title={words(step.tools)}>{words(short)}</span>;
}

export function History({ view }: { view: RequestView }) {
  const { t, f } = useWords();
  const diff = useApp((s) => (s.diff && s.diff.next.n === view.row.n ? s.diff : null));
  const list = useMemo(() => entries(view), [view]);
  const tools = useMemo(() => answeredTools(view.messages), [view]);
  const scroller = useRef<HTMLDivElement>(null);
  const [end] = useState(() => new End());
  const [top, setTop] = useState(0);
  const virtual = useVirtualizer({
    count: list.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => GUESS,
    overscan: 4,
    paddingStart: 4,
    getItemKey: (i) => {
      const e = list[i];
      return e.type === 'hidden' ? `hidden-${e.run.before}` : e.type === 'more' ? e.side : `m-${e.message.index}-${e.message.leaf}`;
    },
  });
  const key = `${view.row.n}/${view.history.total}`;
  const scrollAfter = useRef<{ index: number; align: 'start' | 'end' } | null>(null);
  useEffect(() => {
    const to = landing(list, view.row.n);
    const go = () => {
      if (!scroller.current) return;
      if (to.align === 'end') end.go(scroller.current);
      else virtual.scrollToIndex(to.index, { align: 'center' });
    };
    go();
    // once more when what came into view has been measured
    const again = requestAnimationFrame(go);
    const settled = setTimeout(go, 60);
    return () => {
      cancelAnimationFrame(again);
      clearTimeout(settled);
    };
    // a new request lands; the same one updated stays where it was scrolled to
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);

  // what was in view stays there when something is brought before it
  useLayoutEffect(() => {
    const to = scrollAfter.current;
    scrollAfter.current = null;
    if (to) virtual.scrollToIndex(to.index, { align: to.align });
  }, [list, virtual]);
  // the browser's own way there is stopped by each message that is measured on it
  const toEnds = (e: React.KeyboardEvent) => {
    if ((e.key !== 'Home' && e.key !== 'End') || e.target !== e.currentTarget) return;
    e.preventDefault();
    virtual.scrollToIndex(e.key === 'Home' ? 0 : list.length - 1, { align: e.key === 'Home' ? 'start' : 'end' });
  };
  const onMore = (side: Side) => {
    const first = view.messages[0]?.index ?? 0;
    const length = view.messages.length;
    scrollAfter.current = null;
    void moreHistory(side, (next) => {
      if (side === 'before') scrollAfter.current = { index: entries(next).findIndex((e) => e.type === 'message' && e.message.index === first), align: 'start' };
      else if (side !== 'after' || length === 0) scrollAfter.current = { index: side === 'start' ? 0 : next.messages.length, align: side === 'start' ? 'start' : 'end' };
    });
  };

  const items = virtual.getVirtualItems();
  const firstVisible = items.find((i) => i.end > top + STICKY)?.index ?? 0;
  const user = governing(list, firstVisible);
  // the line stands in only for a message that has scrolled away
  const away = user >= 0 && (virtual.measurementsCache[user]?.start ?? 0) < top;
  const userEntry = away ? list[user] : undefined;
  return (
    <section className="pane history" data-testid="pane-history" data-region="panes" aria-label={t('history')}>
      <div className="head">
        <i className="key k-equal" />
        <h2>{t(view.foreign ? 'history.foreign' : 'history')}</h2>
        <Cause view={view} />
        <span className="grow" />
        <span className="t3 s11 optional cut">{span(view)}</span>
        <span className="t3 s11">{f.bytes(historyBytes(view))}</span>
      </div>
      <div className="body">
        {userEntry?.type === 'message' && (
          <button type="button" className="governing" tabIndex={-1} title={t('history.governing')} onClick={() => virtual.scrollToIndex(user, { align: 'center' })}>
            <span className="index">{userEntry.message.index}</span>
            <span className="cut"><b>{t('role.user')}</b>{visible(userEntry.message.text)}</span>
          </button>
        )}
        <div
          ref={scroller}
          className="scroller"
          role="tree"
          aria-label={t('history')}
          tabIndex={0}
          data-focus
          onScroll={(e) => {
            end.scrolled(e.currentTarget);
            setTop(e.currentTarget.scrollTop);
          }}
          onKeyDown={toEnds}
        >
          {list.length === 0 && <p className="empty">{t('history.empty')}</p>}
          <div className="space" role="presentation" style={{ height: virtual.getTotalSize() }}>
            {items.map((i) => (
              <div key={i.key} ref={virtual.measureElement} data-index={i.index} className="tl-line" role="presentation" style={{ transform: `translateY(${i.start}px)` }}>
                <Placed entry={list[i.index]} diff={diff} tools={tools} onMore={onMore} />
              </div>
            ))}
          </div>
          <LiveAnswer n={view.row.n} scroller={scroller} end={end} />
        </div>
      </div>
      <Composer />
    </section>
  );
}
