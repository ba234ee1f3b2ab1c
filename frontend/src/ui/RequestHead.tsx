import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { Predict, RequestRow } from '../api/types.gen';
import type { Key } from '../i18n';
import { isViolation, planOf } from '../model/verdict';
import { chooseBeside, setTab, showRedline } from '../state/actions';
import { useApp } from '../state/store';
import { CopyMenu } from './CopyMenu';
import { Glyph } from './Glyph';
import { BodyBar, Verdict } from './parts';
import { selectMode } from './RunControls';
import { useWords } from './words';

function Progress({ row }: { row: RequestRow }) {
  const { t, tell } = useWords();
  if (row.status === 'sending' || row.status === 'receiving') {
    return (
      <span className="acc with">
        <Glyph name="arc" className="arc" />
        {t(row.status === 'sending' ? 'head.sending' : 'head.receiving')}
      </span>
    );
  }
  if (row.status === 'error') return <span className="bad cut" title={tell(row.error)}>{tell(row.error) || t('row.error')}</span>;
  if (row.status === 'cancelled') return <span className="t2">{t('row.cancelled')}</span>;
  if (row.proof === 'broken') return <span className="bad with"><Glyph name="cross" />{t('proof.broken')}</span>;
  if (row.kind === 'other') return <span className="t3">{t('row.other')}</span>;
  if (row.proof === 'imported' || row.proof === 'claimed' || row.proof === 'partial') return <span className="t2 with optional" title={t(`proof.${row.proof}.why`)}><Glyph name={row.proof === 'imported' ? 'ring' : 'half'} />{t(`proof.${row.proof}`)}</span>;
  if (row.proof === 'proved') return <span className="t2 with optional" title={t('proof.proved.why')}><Glyph name="check" className="ok" />{t('proof.proved')}</span>;
  return <span className="t3 with optional" title={t('proof.pending.why')}><Glyph name="pending" />{t('proof.pending')}</span>;
}

function Tokens({ row }: { row: RequestRow }) {
  const { t } = useWords();
  if (row.usage.reported) return <span className="t2 narrow-out">{t('tokens', { n: row.usage.prompt })}</span>;
  if (!row.predicted) return null;
  return <span className="t2 narrow-out" title={t('tokens.counted')}>{row.predicted.exact ? '' : '≈ '}{t('tokens', { n: row.predicted.total })}</span>;
}

const NONE: Predict[] = [];
/** What stands in the place of a prediction, in short and in a sentence. */
const WHY = {
  counting: { short: 'reuse.counting', long: 'reuse.counting.why' },
  elsewhere: { short: 'reuse.elsewhere', long: 'reuse.elsewhere.why' },
  unread: { short: 'reuse.unread', long: 'reuse.unread.why' },
  stopped: { short: 'reuse.unread', long: 'reuse.stopped.why' },
} as const;
const unpredicted = (row: RequestRow) => (row.unpredicted in WHY ? WHY[row.unpredicted as keyof typeof WHY] : null);

/** What a cache would have reused, and what the provider said it did: two figures, of this request. */
function Reuse({ row, list }: { row: RequestRow; list: Predict[] }) {
  const { t, f, say } = useWords();
  const u = row.usage;
  if (row.kind === 'other' || row.staged) return null;
  const p = row.predicted;
  const not = unpredicted(row);
  const share = (x: Predict) => `${x.exact ? '' : '≈ '}${f.share(x.reused, x.total)}`;
  const predicted = p ? share(p) : '';
  const reported = u.cachedSaid ? f.share(u.cached, u.prompt) : '';
  const silent = reported === '';
  const words = p ? t(silent ? 'reuse.silent' : 'reuse.both', { predicted, reported }) : not ? t(silent ? 'reuse.not.silent' : 'reuse.not', { why: t(not.short), reported }) : t(silent ? 'reuse.neither' : 'reuse.said', { reported });
  const why = [
    p ? t('reuse.predicted.why', { n: p.reused, of: p.total }) : not ? t(not.long) : t('reuse.unpredicted'),
    ...list.map((x) => `${x.class === p?.class ? '• ' : ''}${say(`class.${x.class}`, x.class)}: ${share(x)}`),
    p && !p.exact ? t('reuse.estimated') : '',
    u.cachedSaid ? t('tokens.of', { cached: u.cached, prompt: u.prompt }) : t('reuse.unreported'),
  ].filter((x) => x !== '').join('\n');
  return <button type="button" className="t2 optional cut reuse-here" data-testid="head-reuse" title={why} onClick={() => setTab('lab')}>{words}</button>;
}

/** In place of the head until the chosen request is here. */
function Awaited() {
  const n = useApp((s) => s.choice.n);
  return <div className="strip"><span className="number">{n > 0 ? `#${n}` : ''}</span></div>;
}

/** Why a request waits that nobody asked to wait for: it breaks the promise. */
const BROKEN: Record<string, Key> = { verdict: 'paused.verdict', redline: 'paused.redline' };

export function RequestHead() {
  const { t, f, say } = useWords();
  const row = useApp((s) => s.view?.row);
  const list = useApp((s) => s.view?.predictions) ?? NONE;
  const rows = useApp((s) => s.timeline?.rows);
  const pausedAt = useApp((s) => (s.view && s.snapshot?.state.request === s.view.row.n ? s.snapshot.state.pausedAt : ''));
  const tool = useApp((s) => s.snapshot?.state.tool ?? '');
  const mode = useApp(selectMode);
  if (!row) return <Awaited />;
  const staged = row.staged;
  const violation = isViolation(row);
  const plan = planOf(row.verdict, row.planned);
  const at = rows?.findIndex((r) => r.n === row.n) ?? -1;
  const halted = mode === 'paused' && pausedAt !== '' && pausedAt !== 'request' && !staged;
  const showPlan = row.verdict !== 'first' && !staged && plan !== 'planned' && plan !== 'kept';
  return (
    <div className={`strip${violation ? ' violation' : ''}${mode === 'paused' && (staged || pausedAt) ? ' paused' : ''}`} data-testid="request-head">
      <span className="number">#{row.n}</span>
      {row.kind !== 'other' && <Verdict verdict={row.verdict} planned={row.planned} staged={staged} />}
      {row.kind !== 'other' && showPlan && <span className={plan === 'unplanned' || plan === 'unannounced' ? 'bad nowrap' : 't3 nowrap'} title={t(`plan.why.${plan}`)}>{t(plan)}</span>}
      {row.violations.length > 0 && !staged && (
        <button type="button" className="link bad with nowrap" data-testid="head-redlines" title={row.violations.map((id) => `${id}: ${say(`redline.${id}`, id)}`).join('\n')} aria-label={t('head.redlines', { ids: row.violations.join(', ') })} onClick={() => showRedline(row.violations[0])}>
          <Glyph name="cross" />{row.violations.join(' ')}
        </button>
      )}
      {(staged || row.sentAt > 0 || row.error !== '') && <span className="rule" />}
      {staged ? (
        <span className="t1 cut">{t(BROKEN[pausedAt] ?? 'paused.request', { n: row.n })}</span>
      ) : (
        <>
          {row.sentAt > 0 && <span className="t2">{t('head.sent', { at: f.clock(row.sentAt) })}</span>}
          {row.attempts > 1 && <span className="t2 optional">{t('head.attempts', { n: row.attempts })}</span>}
          {halted ? (
            <span className="acc cut">{t(pausedAt === 'tool' ? 'paused.tool' : 'paused.frame', { tool })}</span>
          ) : (
            <Progress row={row} />
          )}
        </>
      )}
      <span className="grow" />
      {!halted && <Reuse row={row} list={list} />}
      <BodyBar row={row} />
      <span className="t2">{f.bytes(row.bytes)}</span>
      <Tokens row={row} />
      <span className="rule" />
      <CopyMenu />
      <button type="button" className="btn square small" title={`${t('head.previous')} (k)`} aria-label={t('head.previous')} disabled={at <= 0} onClick={() => chooseBeside(-1)}>
        <ChevronLeft className="icon" />
      </button>
      <button type="button" className="btn square small" title={`${t('head.next')} (j)`} aria-label={t('head.next')} disabled={!rows || at < 0 || at >= rows.length - 1} onClick={() => chooseBeside(1)}>
        <ChevronRight className="icon" />
      </button>
    </div>
  );
}
