import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import type { Hunk } from '../../api/types.gen';
import { differences, hunkRows, pieces, type HunkRow } from '../../model/hunks';
import { partName } from '../../model/record';
import { visible } from '../../model/visible';
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

/** The text differences, part after part. n and p go to the next and the previous one. */
export function Hunks({ hunks, cut }: { hunks: Hunk[]; cut: boolean }) {
  const { t } = useWords();
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => hunkRows(hunks), [hunks]);
  const places = useMemo(() => differences(rows), [rows]);
  const at = useRef(-1);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (i) => (rows[i].type === 'head' ? HEAD : LINE),
    overscan: 20,
    paddingStart: 4,
    paddingEnd: 8,
  });
  const jump = (by: number) => {
    if (places.length === 0) return;
    at.current = Math.max(0, Math.min(places.length - 1, at.current + by));
    virtual.scrollToIndex(places[at.current], { align: 'center' });
  };
  if (rows.length === 0) return <div className="hunks"><p className="empty">{t('hunks.none')}</p></div>;
  return (
    <div
      ref={box}
      className="hunks"
      tabIndex={0}
      data-testid="hunks"
      data-focus
      aria-label={t('hunks')}
      role="region"
      onKeyDown={(e) => {
        if (e.ctrlKey || e.metaKey || e.altKey || (e.key !== 'n' && e.key !== 'p')) return;
        e.preventDefault();
        jump(e.key === 'n' ? 1 : -1);
      }}
    >
      {cut && <p className="empty">{t('hunks.cut')}</p>}
      <div className="space" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((i) => {
          const row = rows[i.index];
          return (
            <div key={i.key} ref={virtual.measureElement} data-index={i.index} className="tl-line" style={{ transform: `translateY(${i.start}px)` }}>
              {row.type === 'head' ? <Head hunk={row.hunk} /> : <HunkLineView row={row} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}
