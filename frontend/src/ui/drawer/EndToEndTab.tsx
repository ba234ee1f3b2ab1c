import { CirclePlay, RefreshCw, Square } from 'lucide-react';
import type { BackendState, CheckStep, EndToEnd } from '../../api/types.gen';
import { visible } from '../../model/visible';
import { copy, openSession, probeBackend, runEndToEnd, show, stopEndToEnd } from '../../state/actions';
import { useApp } from '../../state/store';
import { Glyph, type GlyphName } from '../Glyph';
import { Dialog } from '../Dialog';
import { Told } from '../parts';
import { useWords } from '../words';
import { FactRow } from './Evidence';

const GLYPHS: Record<string, GlyphName> = { pending: 'staged', running: 'arc', ok: 'check', failed: 'cross', skipped: 'ring', missing: 'changed' };
const TONES: Record<string, string> = { ok: 'ok', failed: 'bad', running: 'acc', pending: 't3', skipped: 't3', missing: 'warn' };

function Step({ step }: { step: CheckStep }) {
  const { t, say } = useWords();
  const state = step.state === 'skipped' && step.todo !== '' ? 'missing' : step.state;
  return (
    <li className={`step ${state}`} data-testid={`step-${step.id}`} aria-current={step.state === 'running' ? 'step' : undefined}>
      <Glyph name={GLYPHS[state] ?? 'unknown'} className={state === 'running' ? 'arc acc' : TONES[state]} />
      <div>
        <span className={state === 'pending' || state === 'skipped' ? 't3' : 't1'}>{say(`step.${step.id}`, say(`redline.${step.id}`, step.title))}</span>{' '}
        <span className={`s11 ${TONES[state] ?? 't3'}`}>{say(`step.state.${state}`, state)}</span>
        {step.evidence.length > 0 && <ul className="step-evidence">{step.evidence.map((e, i) => <li key={i}><Told text={e} /></li>)}</ul>}
        {step.todo !== '' && <p className="todo"><span className="t2">{t('e2e.todo')}</span> <Told text={step.todo} /></p>}
      </div>
    </li>
  );
}

function Backend({ backend }: { backend: BackendState }) {
  const { t, f, tell, lang } = useWords();
  const state = backend.at === 0 ? 'unknown' : backend.ready ? 'ready' : 'away';
  return (
    <section className="backend" data-testid="backend">
      <h4><i className={state === 'ready' ? 'dot' : state === 'away' ? 'dot bad' : 'dot hollow'} /> {t('backend')}</h4>
      <p className="t2">{t(`backend.${state}`)}</p>
      <dl className="facts">
        <FactRow name={t('backend.hub')} value={<span className="mono">{visible(backend.hub)}</span>} />
        <FactRow name={t('backend.folder')} value={backend.folder === '' ? t('backend.nofolder') : <span className="mono">{visible(backend.folder)}</span>} />
        {backend.at > 0 && <FactRow name={t('backend.at')} value={f.clock(backend.at)} />}
        {backend.missing.length > 0 && <FactRow name={t('backend.missing')} value={backend.missing.map((m) => tell(m)).join(lang === 'zh' ? '、' : ', ')} />}
      </dl>
      {backend.attempts.map((a) => <p key={a.url} className="attempt t3 s11"><span className="mono">{visible(a.url)}</span> {a.status > 0 ? a.status : ''} <Told text={a.sentence} /></p>)}
      <p className="t3 s11">{t(backend.configured ? 'backend.every' : 'backend.ondemand')}</p>
      <button type="button" className="btn small line" data-testid="probe" disabled={backend.probing} onClick={() => void probeBackend()}><RefreshCw className="icon" />{t(backend.probing ? 'backend.probing' : 'backend.probe')}</button>
    </section>
  );
}

function Outcome({ run }: { run: EndToEnd }) {
  const { t, f, say, tell } = useWords();
  if (run.running) return <span className="acc with" role="status"><Glyph name="arc" className="arc" />{t('e2e.running')}</span>;
  if (run.outcome === '') return <span className="t2">{t('e2e.never')}</span>;
  const tone = run.outcome === 'passed' ? 'ok' : run.outcome === 'failed' ? 'bad' : 'warn';
  return (
    <span className="with outcome-line" role="status" data-testid="e2e-outcome">
      <span className={`${tone} with`}><Glyph name={run.outcome === 'passed' ? 'check' : run.outcome === 'failed' ? 'cross' : 'ring'} />{say(`outcome.${run.outcome}`, run.outcome)}</span>
      <span className="t2 cut" title={tell(run.sentence)}>{tell(run.sentence).replace(/^(?:passed|failed|skipped|通过|失败|已跳过)(?:: |：)/, '')}</span>
      <span className="t3 nowrap">{f.millis(run.millis)}</span>
    </span>
  );
}

/** The real end-to-end run: what it needs, how far it is, what each step showed. */
export function EndToEndTab() {
  const { t } = useWords();
  const run = useApp((s) => s.endToEnd);
  const current = useApp((s) => s.snapshot?.current);
  if (!run) return <p className="empty">{t('request.loading')}</p>;
  return (
    <div className="e2e" data-testid="e2e">
      <div className="sentence">
        <Outcome run={run} />
        <span className="grow" />
        {run.session !== '' && !run.running && run.session !== current && <button type="button" className="btn small line" onClick={() => { show(null); void openSession(run.session); }}>{t('e2e.session')}</button>}
        {run.running ? (
          <button type="button" className="btn small line" data-testid="e2e-stop" onClick={() => void stopEndToEnd()}><Square className="icon" />{t('run.stop')}</button>
        ) : (
          <button type="button" className="btn small solid" data-testid="e2e-run" onClick={() => void runEndToEnd()}><CirclePlay className="icon" />{t('e2e.run')}</button>
        )}
      </div>
      <div className="e2e-columns">
        <div className="steps" tabIndex={0} data-focus>
          {run.steps.length === 0 ? <p className="empty">{t('e2e.what')}</p> : <ol>{run.steps.map((x) => <Step key={x.id} step={x} />)}</ol>}
        </div>
        <aside className="evidence">
          <Backend backend={run.backend} />
          {run.report !== '' && (
            <section>
              <h4>{t('e2e.report')}</h4>
              <button type="button" className="link mono path-link" title={t('e2e.report.copy')} onClick={() => void copy(run.report, t('copied.path.file'))}>{run.report}</button>
            </section>
          )}
          {run.error !== '' && <p className="bad" role="alert"><Told text={run.error} /></p>}
          {run.notes.length > 0 && <section><h4>{t('about.notes')}</h4><ul>{run.notes.map((n, i) => <li key={i} className="t2"><Told text={n} /></li>)}</ul></section>}
        </aside>
      </div>
    </div>
  );
}

/** The same without a session, over the window. */
export function EndToEndDialog() {
  const { t } = useWords();
  return (
    <Dialog title={t('tab.e2e')} width={960} height="80vh">
      <EndToEndTab />
    </Dialog>
  );
}
