import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Timeline as TimelineData } from '../api/types.gen';
import { largestBody } from '../model/bars';
import { parseFilter } from '../model/filter';
import { baseOf } from '../model/choice';
import { severalThreads } from '../model/foreign';
import { lineHeight, lines, neighbour, offsets, placeAfter, ROW_HEIGHT, scrollInto, stickyTurn, TURN_HEIGHT, visibleRange } from '../model/timeline';
import { choose, setFollow, show } from '../state/actions';
import { useApp } from '../state/store';
import { Conversations } from './Conversations';
import { FilterBox } from './FilterBox';
import { Glyph } from './Glyph';
import { ReuseLine } from './ReuseLine';
import { Splitter } from './Splitter';
import { TimelineRow, TurnHead } from './TimelineRow';
import { useWords } from './words';

/** Rows drawn on each side at least, also before the height of the list is known. */
const LEAST = 12;
/** Rows that Page Up and Page Down move by. */
const PAGE = 10;

export function Timeline() {
  const { t } = useWords();
  const timeline = useApp((s) => s.timeline);
  const follow = useApp((s) => s.choice.follow);
  const rows = timeline?.rows ?? [];
  const staged = rows.filter((r) => r.staged).length;
  const sent = rows.length - staged;
  return (
    <aside className={rows.length === 0 ? 'timeline bare' : 'timeline'} data-testid="timeline" data-region="timeline" aria-label={t('timeline')}>
      <div className="head">
        <h2>{t('timeline')}</h2>
        <span className="t3 cut">{staged > 0 ? t('requests.staged', { n: sent, staged }) : t('requests', { n: sent })}</span>
        <span className="grow" />
        {rows.length > 0 && (
          <button type="button" className={follow ? 'btn small on' : 'btn small'} aria-pressed={follow} data-testid="follow" title={t('follow.why')} onClick={() => setFollow(!follow)}>
            {follow && <Glyph name="check" />}
            {t('follow')}
          </button>
        )}
      </div>
      {timeline && rows.length > 0 ? <Filled timeline={timeline} /> : <p className="empty">{t('timeline.empty')}</p>}
      <Splitter name="timeline" axis="x" grows={1} label={t('split.timeline')} style={{ left: 'calc(min(var(--w-timeline), var(--max-timeline)) - 4px)' }} />
    </aside>
  );
}

function Filled({ timeline }: { timeline: TimelineData }) {
  const { t } = useWords();
  const text = useApp((s) => s.filter);
  const filter = useMemo(() => parseFilter(text), [text]);
  const list = useMemo(() => lines(timeline, filter.test), [timeline, filter]);
  return (
    <>
      <div>
        <FilterBox errors={filter.errors} rows={timeline.rows} />
        <Conversations rows={timeline.rows} />
      </div>
      <ReuseLine timeline={timeline} />
      <div className="columns" aria-hidden="true">
        <span>#</span>
        <span>{t('column.verdict')}</span>
        <span className="mid">{t('column.calls')}</span>
        <span>{t('column.time')}</span>
      </div>
      {list.length === 0 ? <p className="empty">{t('filter.nothing', { n: timeline.rows.length })}</p> : <Rows timeline={timeline} list={list} text={text} />}
    </>
  );
}

function Rows({ timeline, list, text }: { timeline: TimelineData; list: ReturnType<typeof lines>; text: string }) {
  const { t } = useWords();
  const selected = useApp((s) => s.choice.n);
  const follow = useApp((s) => s.choice.follow);
  const base = useApp((s) => baseOf(s.choice, timeline));
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const tops = useMemo(() => offsets(list), [list]);
  const largest = useMemo(() => largestBody(timeline.rows), [timeline]);
  const lane = useMemo(() => severalThreads(timeline.rows), [timeline]);

  useLayoutEffect(() => {
    const el = box.current;
    if (!el) return;
    const measure = () => setView({ top: el.scrollTop, height: el.clientHeight });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(el);
    return () => watch.disconnect();
  }, []);

  const shown = useRef({ selected: 0, follow: false, text: '', end: 0 });
  useEffect(() => {
    const el = box.current;
    const at = list.findIndex((l) => l.type === 'row' && l.row.n === selected);
    if (!el || at < 0) return;
    const was = shown.current;
    const end = tops[list.length];
    shown.current = { selected, follow, text, end };
    const place = placeAfter(was, shown.current, el.scrollTop + el.clientHeight);
    if (place === 'end') el.scrollTop = end;
    if (place === 'selected') el.scrollTop = scrollInto(tops[at], tops[at + 1], el.scrollTop, el.clientHeight, TURN_HEIGHT);
  }, [selected, follow, text, list, tops]);

  const move = (by: number) => choose(neighbour(list, selected, by));
  const onKey = (e: React.KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE, Home: -Infinity, End: Infinity }[e.key];
    if (by === undefined || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    move(by);
  };
  // a screen more on each side: a jump by one page meets rows that are there, even if a frame is painted before its event
  const [from, to] = visibleRange(tops, view.top, view.height, Math.max(LEAST, Math.ceil(view.height / ROW_HEIGHT)));
  const sticky = stickyTurn(list, tops, view.top);
  return (
    <div
      ref={box}
      className="rows"
      role="grid"
      tabIndex={0}
      aria-label={t('timeline')}
      aria-rowcount={timeline.rows.length}
      aria-activedescendant={selected > 0 ? `row-${selected}` : undefined}
      data-focus
      onScroll={(e) => {
        const { scrollTop: top, clientHeight } = e.currentTarget;
        flushSync(() => setView({ top, height: clientHeight })); // before this frame is painted, not some time after
      }}
      onKeyDown={onKey}
    >
      {sticky && (
        <div className="turn-holder" role="presentation">
          <TurnHead turn={sticky} onOpen={() => show({ kind: 'text', opened: { title: t('turn', { n: sticky.number }), source: { kind: 'text', text: sticky.prompt } } })} />
        </div>
      )}
      <div className="space" role="presentation" style={{ height: tops[list.length] - (sticky ? TURN_HEIGHT : 0) }}>
        {list.slice(from, to).map((l, i) => {
          const place = { transform: `translateY(${tops[from + i] - (sticky ? TURN_HEIGHT : 0)}px)`, height: lineHeight(l) };
          return l.type === 'turn' ? (
            <div key={`t${l.turn.number}-${from + i}`} className="tl-line" style={place} role="presentation">
              <TurnHead turn={l.turn} onOpen={() => show({ kind: 'text', opened: { title: t('turn', { n: l.turn.number }), source: { kind: 'text', text: l.turn.prompt } } })} />
            </div>
          ) : (
            <div key={l.row.n} className="tl-line" style={place} role="presentation">
              <TimelineRow row={l.row} index={l.index} largest={largest} selected={l.row.n === selected} base={l.row.n === base} lane={lane} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
