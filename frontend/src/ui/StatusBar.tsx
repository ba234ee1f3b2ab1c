import { byId, LIVE_IDS, redlineState, tally } from '../model/redlines';
import { showEndToEnd, showRedline } from '../state/actions';
import { useApp } from '../state/store';
import { REDLINE_GLYPHS } from './drawer/RedlinesTab';
import { Glyph } from './Glyph';
import { useWords } from './words';

function Redlines() {
  const { t, say, tell } = useWords();
  const list = useApp((s) => s.timeline?.redlines) ?? [];
  const sum = tally(list);
  return (
    <>
      <span className="redlines">
        {LIVE_IDS.map((id) => {
          const r = byId(list, id);
          const state = redlineState(r);
          const title = [say(`redline.${id}`), t(`redline.${state}`), r ? tell(r.detail, r.words) : ''].filter((x) => x !== '').join('\n');
          return (
            <button key={id} type="button" className={state} title={title} aria-label={`${id}: ${t(`redline.${state}`)}`} data-testid={`status-${id}`} onClick={() => showRedline(id)}>
              <Glyph name={REDLINE_GLYPHS[state]} />
              {id}
            </button>
          );
        })}
      </span>
      <button type="button" className={sum.fail > 0 ? 'folded fail' : sum.pass > 0 ? 'folded pass' : 'folded'} onClick={() => showRedline('')}>
        <Glyph name={sum.fail > 0 ? 'cross' : sum.pass > 0 ? 'check' : 'ring'} />
        {t('status.redlines', { pass: sum.pass, of: sum.of })}
      </button>
    </>
  );
}

function Figures() {
  const { t, f } = useWords();
  const timeline = useApp((s) => s.timeline);
  if (!timeline || timeline.rows.length === 0) return <span>{t('status.nothing')}</span>;
  const fig = timeline.figures;
  const predicted = f.share(fig.predictedReuse, fig.predictedTotal);
  const reported = f.share(fig.reportedReuse, fig.reportedTotal);
  return (
    <>
      <span className="fig"><b>{t('requests', { n: fig.requests })}</b></span>
      <span className="rule" />
      <span className="fig">
        <b>{t('status.prefix', { n: fig.prefixEqual, of: fig.pairs })}</b>
        {fig.plannedBreaks > 0 && <span className="warn fig"><Glyph name="windowed" />{t('status.breaks', { n: fig.plannedBreaks })}</span>}
        {fig.violations > 0 && <span className="bad fig" role="alert"><Glyph name="rewritten" />{t('violations', { n: fig.violations })}</span>}
      </span>
      <span className="rule" />
      <span className="fig">{t('predicted')} <b>{predicted === '' ? '–' : `${fig.predictedExact ? '' : '≈ '}${predicted}`}</b></span>
      <span className="rule" />
      <span className="fig">
        {t('reported')} <b>{reported === '' ? t('notreported') : reported}</b>
        {reported !== '' && fig.notReported > 0 && <span className="t3 fig narrow-out"><Glyph name="ring" />{t('status.notreported', { n: fig.notReported })}</span>}
      </span>
    </>
  );
}

/** The connection to mteam as it was found last; seen only where somebody asked about it or a session runs on it. */
function BackendLight() {
  const { t, f } = useWords();
  const b = useApp((s) => s.endToEnd?.backend);
  const running = useApp((s) => s.endToEnd?.running ?? false);
  if (!b || (b.at === 0 && !b.configured && !running)) return null;
  const state = running ? 'running' : b.probing ? 'probing' : b.at === 0 ? 'unknown' : b.ready ? 'ready' : 'away';
  const title = running ? t('e2e.running') : `${t(state === 'ready' ? 'backend.ready' : state === 'away' ? 'backend.away' : state === 'probing' ? 'backend.probing' : 'backend.unknown')}${b.at > 0 ? ` (${f.clock(b.at)})` : ''}`;
  return (
    <button type="button" className="fig light" title={title} aria-label={title} data-testid="backend-light" onClick={showEndToEnd}>
      <i className={state === 'ready' ? 'dot' : state === 'away' ? 'dot bad' : 'dot hollow'} />mteam
    </button>
  );
}

/** Milliseconds for which a said sentence stays. */
export const TOAST_MS = 5000;
/** Milliseconds for one that offers to undo something: time to read, think and get there by keyboard. */
export const OFFER_MS = 20_000;

export function StatusBar() {
  const { t, f, tell } = useWords();
  const toast = useApp((s) => s.toast);
  const link = useApp((s) => s.link);
  const phase = useApp((s) => s.phase);
  const timeline = useApp((s) => s.timeline);
  const bytes = useApp((s) => s.snapshot?.state.storeBytes ?? 0);
  const fig = timeline?.figures;
  return (
    <footer className="status" data-testid="statusbar" data-region="status" aria-label={t('status')}>
      <Redlines />
      <span className="rule" />
      <Figures />
      <span className="grow" />
      <span className="message" role="status" aria-live="polite" data-testid="toast">
        {toast && (
          <>
            <Glyph name={toast.tone === 'ok' ? 'check' : 'cross'} className={toast.tone} />
            <span className="cut" title={tell(toast.text)}>{tell(toast.text)}</span>
            {toast.action && <button type="button" className="link nowrap" data-testid="toast-action" data-focus onClick={toast.action.run}>{toast.action.label}</button>}
          </>
        )}
      </span>
      {phase === 'ready' && link === 'down' && <span className="bad nowrap" role="alert">{t('link.down')}</span>}
      <BackendLight />
      {!toast && fig && fig.imported + fig.claimed > 0 && <span className="fig wide" title={t('proof.imported.why')}><Glyph name="ring" className="t3" />{t('status.imported', { n: fig.imported + fig.claimed, of: fig.requests - fig.others })}</span>}
      {!toast && fig && fig.requests > 0 && fig.imported + fig.claimed === 0 && <span className="fig wide"><Glyph name={fig.proved === fig.requests - fig.others ? 'check' : 'pending'} className={fig.proved === fig.requests - fig.others ? 'ok' : 't3'} />{t('status.proved', { n: fig.proved, of: fig.requests - fig.others })}</span>}
      <span className="rule" />
      <span className="nowrap">{t('status.store', { size: f.size(bytes || fig?.storeBytes || 0) })}</span>
    </footer>
  );
}
