import { memo } from 'react';
import type { RequestRow, Turn } from '../api/types.gen';
import { barWidth } from '../model/bars';
import { laneOf } from '../model/foreign';
import { isViolation, rowLook } from '../model/verdict';
import { visible } from '../model/visible';
import { choose, peek } from '../state/actions';
import { BodyBar, Verdict } from './parts';
import { useWords } from './words';

export function TurnHead({ turn, onOpen }: { turn: Turn; onOpen: () => void }) {
  const { t } = useWords();
  return (
    <div role="row">
      <div role="gridcell">
        <button type="button" className="turn" tabIndex={-1} title={visible(turn.prompt)} onClick={onOpen}>
          <b>{t('turn', { n: turn.number })}</b>
          <span>{visible(turn.prompt)}</span>
        </button>
      </div>
    </div>
  );
}

/** An imported request whose answer was not recorded: what it called is not known. */
const unanswered = (row: RequestRow) => row.proof === 'imported' && row.tools.length === 0 && row.http === 0 && row.millis === 0 && !row.usage.reported;

function Tool({ row }: { row: RequestRow }) {
  const { t, tell } = useWords();
  if (row.kind === 'other') return <span role="gridcell" className="tool mono" title={visible(`${row.method} ${row.path}`)}>{visible(`${row.method} ${row.path}`)}</span>;
  if (row.staged) return <span role="gridcell" className="tool">{t('row.staged')}</span>;
  if (row.kind === 'side') return <span role="gridcell" className="tool">{t(row.thread === '' ? 'row.summary' : 'row.leaf')}</span>;
  if (row.kind === 'retry' && row.status !== 'error') return <span role="gridcell" className="tool">{t('row.retry')}</span>;
  if (row.status === 'error' || row.status === 'cancelled') return <span role="gridcell" className="tool bad" title={tell(row.error)}>{t(row.status === 'error' ? 'row.error' : 'row.cancelled')}</span>;
  if (unanswered(row)) return <span role="gridcell" className="tool t3">{t('row.noanswer')}</span>;
  if (row.tools.length === 0) return <span role="gridcell" className="tool">{t(row.status === 'done' ? 'row.answer' : 'row.receiving')}</span>;
  return (
    <span role="gridcell" className="tool mono" title={visible(row.tools.join(', '))}>
      {visible(row.tools[0])}
      {row.tools.length > 1 && ` +${row.tools.length - 1}`}
    </span>
  );
}

/** Cached and prompt tokens, or the word for why there are none. Never 0 for what was not reported. */
function Tokens({ row }: { row: RequestRow }) {
  const { t, f } = useWords();
  const u = row.usage;
  if (u.reported) {
    const cached = u.cachedSaid ? f.count(u.cached) : '–';
    return <span role="gridcell" className="tokens" title={u.cachedSaid ? t('tokens.of', { cached: u.cached, prompt: u.prompt }) : t('tokens.nocached', { prompt: u.prompt })}>{`${cached} / ${f.count(u.prompt)}`}</span>;
  }
  if (row.kind === 'other') return <span role="gridcell" className="tokens t3">{row.http > 0 ? row.http : t('row.noanswer')}</span>;
  if (row.staged) return <span role="gridcell" className="tokens" />;
  const open = row.status === 'sending' || row.status === 'receiving';
  return <span role="gridcell" className="tokens t3">{t(open ? 'waiting' : 'notreported')}</span>;
}

function describe(row: RequestRow, lane: boolean): string {
  const classes = ['row'];
  const look = rowLook(row);
  if (isViolation(row)) classes.push('violation');
  if (row.kind === 'side') classes.push('side');
  if (row.kind === 'other') classes.push('other');
  if (lane && row.thread !== '') classes.push(`lane lane-${laneOf(row.thread)}`);
  if (row.staged) classes.push('staged');
  if (look.tone === 'warn' && row.verdict === 'windowed') classes.push('break');
  return classes.join(' ');
}

export const TimelineRow = memo(function TimelineRow({ row, index, largest, selected, base, lane }: {
  row: RequestRow;
  index: number;
  largest: number;
  selected: boolean;
  base: boolean;
  /** several conversations are interleaved: each row says which it is of */
  lane: boolean;
}) {
  const { t, f } = useWords();
  const lost = isViolation(row) && row.lost > 0;
  return (
    <div
      id={`row-${row.n}`}
      className={describe(row, lane) + (base ? ' base' : '')}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={selected}
      data-testid={`row-${row.n}`}
      onClick={() => choose(row.n)}
      onPointerEnter={() => peek(row.n)}
      onPointerLeave={() => peek(0)}
    >
      <span className="number" role="gridcell">{row.n}{base && <span className="reader-only">{t('row.base')}</span>}</span>
      <span role="gridcell" className="cell">{row.kind === 'other' ? <span className="t3 cut">{t('row.other')}</span> : <Verdict verdict={row.verdict} planned={row.planned} staged={row.staged} />}</span>
      <Tool row={row} />
      <span role="gridcell" className={row.status === 'receiving' || row.status === 'sending' ? 'time acc' : 'time'}>{row.millis > 0 ? f.millis(row.millis) : ''}</span>
      <span role="presentation" />
      <span role="gridcell"><BodyBar row={row} width={barWidth(row.bytes, largest)} /></span>
      <span role="gridcell" className={lost ? 'fresh lost' : 'fresh'}>{lost ? t('row.lost', { bytes: f.bytes(row.lost) }) : row.kind === 'other' ? f.bytes(row.bytes) : `+${f.bytes(row.new)}`}{lane && row.thread !== '' && <span className="thread" title={t('thread.of', { thread: row.thread })}> {row.thread}</span>}</span>
      <Tokens row={row} />
    </div>
  );
});
