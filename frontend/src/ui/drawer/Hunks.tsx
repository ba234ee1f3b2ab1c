import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronUp, ChevronsUp } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Hunk } from '../../api/types.gen';
import { differences, goTo, hunkRows, partOf, pieces, type HunkRow } from '../../model/hunks';
import { partName } from '../../model/record';
import { visible } from '../../model/visible';
import { jump } from '../../state/actions';
import { useApp } from '../../state/store';
import { useWords } from '../words';

/** Heights in px until a row is measured. */
const HEAD = 24;
const LINE = 16;

const STATES: Record<string, 'hunk.new' | 'hunk.gone'> = { new: 'hunk.new', gone: 'hunk.gone' };

function Head({ hunk }: { hunk: Hunk }) {
  const { t } = useWords();
  const state = STATES[hunk.state];
  return (
    <div className="hunk-head">
      <b>{partName(hunk.kind, hunk.index)}</b>
      <span>{visible(hunk.role)}</span>
      {state && <span className={hunk.state === 'new' ? 'acc' : hunk.state === 'gone' ? 'warn' : 't3'}>{t(state)}</span>}
    </div>
  );
}

const SIGNS: Record<string, string> = { '+': 'plus', '-': 'minus' };

export function HunkLineView({ row }: { row: Extract<HunkRow, { type: 'line' }> }) {
  const { line, fresh } = row;
  const cls = SIGNS[line.sign] ?? '';
  return (
    <div className={`hunk-line ${cls}${fresh ? ' fresh' : ''}`} data-sign={line.sign}>
      <span className="sign">{line.sign === '-' ? '−' : line.sign === ' ' ? '' : line.sign}</span>
      <span className="no">{line.new || line.old || ''}</span>
      <span className="text">{pieces(line.text, line.spans).map((p, i) => (p.changed ? <mark key={i}>{visible(p.text)}</mark> : visible(p.text)))}</span>
    </div>
  );
}

/** Where among the differences one stands, and the way to the others; and the part whose name has scrolled away. */
function Jumps({ at, of, part }: { at: number; of: number; part: Hunk | undefined }) {
  const { t } = useWords();
  const button = (label: string, by: number | 'first', off: boolean, icon: React.ReactNode) => (
    <button type="button" className="btn small square" title={label} aria-label={label} disabled={off} onClick={() => jump(by)}>{icon}</button>
  );
  return (
    <div className="jumps" data-testid="jumps">
      {part && <span className="mono cut">{partName(part.kind, part.index)} <span className="t3">{visible(part.role)}</span></span>}
      <span className="grow" />
      <span className="t3 s11 nowrap" role="status">{t('hunks.at', { at: at + 1, of })}</span>
      {button(t('hunks.first'), 'first', at <= 0, <ChevronsUp className="icon" />)}
      {button(t('hunks.previous'), -1, at <= 0, <ChevronUp className="icon" />)}
      {button(t('hunks.next'), 1, at >= of - 1, <ChevronDown className="icon" />)}
    </div>
  );
}

/** Frames until what came into view has been measured, and what stands below it has its height. */
const SETTLING = 3;

/** The text differences, part after part. n and p go to the next and the previous one, from wherever the focus is. */
export function Hunks({ pair, hunks, cut }: {
  /** which two requests: the same ones read anew keep one's place */
  pair: string;
  hunks: Hunk[];
  cut: boolean;
}) {
  const { t } = useWords();
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => hunkRows(hunks), [hunks]);
  const places = useMemo(() => differences(rows), [rows]);
  const wanted = useApp((s) => s.jump);
  const done = useRef(wanted.seq);
  const [stands, setStands] = useState({ pair, at: 0 });
  const at = stands.pair === pair ? Math.max(0, Math.min(stands.at, places.length - 1)) : 0;
  const shownFor = useRef('');
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (i) => (rows[i].type === 'head' ? HEAD : LINE),
    overscan: 20,
    paddingStart: 4,
    paddingEnd: 8,
  });
  // a long part may hide its first difference below the edge: both of its lines are brought into view, and kept there
  // when what stands below takes room, until a person goes elsewhere
  const first = places.length > 0 ? Math.min(rows.length - 1, places[0] + 1) : -1;
  const kept = useRef(-1);
  useEffect(() => {
    if (first < 0 || shownFor.current === pair) return;
    let left = SETTLING;
    let next = 0;
    const go = () => {
      virtual.scrollToIndex(first, { align: 'auto' });
      if (left-- > 0) next = requestAnimationFrame(go);
      else shownFor.current = pair; // not before: the same diff, read anew meanwhile, begins again
    };
    kept.current = first;
    go();
    return () => cancelAnimationFrame(next);
  }, [pair, rows, first, virtual]);
  const any = rows.length > 0;
  useEffect(() => {
    const e = box.current;
    if (!e || !any) return;
    const sized = new ResizeObserver(() => kept.current >= 0 && virtual.scrollToIndex(kept.current, { align: 'auto' }));
    sized.observe(e);
    return () => sized.disconnect();
  }, [any, virtual]);
  const release = () => { kept.current = -1; };
  useEffect(() => {
    if (wanted.seq === done.current || places.length === 0) return;
    done.current = wanted.seq;
    kept.current = -1;
    const to = goTo(at, wanted.by, places.length);
    setStands({ pair, at: to });
    virtual.scrollToIndex(places[to], { align: 'center' });
  }, [wanted, pair, places, at, virtual]);
  const top = virtual.scrollOffset ?? 0;
  const seen = virtual.getVirtualItems().find((i) => i.end > top)?.index ?? 0;
  if (rows.length === 0) return <div className="hunks"><p className="empty">{t('hunks.none')}</p></div>;
  return (
    <div className="hunk-box">
      {places.length > 1 && <Jumps at={at} of={places.length} part={partOf(rows, seen)} />}
      <div ref={box} className="hunks" onWheel={release} onPointerDown={release} onKeyDown={release} tabIndex={0} data-testid="hunks" data-focus aria-label={t('hunks')} role="region">
        {cut && <p className="empty">{t('hunks.cut')}</p>}
        <div className="space" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((i) => {
            const row = rows[i.index];
            const here = places.length > 1 && places[at] === i.index;
            return (
              <div key={i.key} ref={virtual.measureElement} data-index={i.index} className={here ? 'tl-line here' : 'tl-line'} style={{ transform: `translateY(${i.start}px)` }}>
                {row.type === 'head' ? <Head hunk={row.hunk} /> : <HunkLineView row={row} />}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
