import { Pause, Play, RedoDot, Square, StepForward, X } from 'lucide-react';
import { modeOf } from '../model/run';
import { abandon, pause, resume, retry, step, stepTool, stop, toast } from '../state/actions';
import { useApp, type AppState } from '../state/store';
import { useWords } from './words';

export const selectSession = (s: AppState) => s.snapshot?.sessions.find((x) => x.id === s.snapshot?.current);
export const selectMode = (s: AppState) => modeOf(s.snapshot?.state, selectSession(s));

function Control({ icon, label, keys, onClick, disabled, look, testid }: {
  icon: React.ReactNode;
  label: string;
  keys?: string;
  onClick: () => void;
  disabled?: boolean;
  look?: string;
  testid: string;
}) {
  return (
    <button type="button" className={`btn ${look ?? ''}`} title={keys ? `${label} (${keys})` : label} disabled={disabled} data-testid={testid} onClick={onClick}>
      {icon}
      <span className="label">{label}</span>
      {look === 'solid' && keys && <kbd className="label">{keys}</kbd>}
    </button>
  );
}

/** Run when idle: try the last prompt again if it failed, else go where a prompt is written. */
export function run(retryable: boolean): void {
  if (retryable) void retry();
  else document.querySelector<HTMLElement>('[data-testid="composer"]')?.focus();
}

export function RunControls() {
  const { t } = useWords();
  const mode = useApp(selectMode);
  const retryable = useApp((s) => s.snapshot?.state.retryable ?? false);
  const busy = useApp((s) => s.busy !== '');
  const foreign = useApp((s) => selectSession(s)?.foreign ?? '');
  if (foreign !== '') return <span className="tag nowrap" title={t('foreign.session.why')}>{t(foreign === 'proxy' ? 'foreign.proxy' : 'foreign.import')}</span>;
  if (mode === 'read-only') return <span className="tag" title={t('readonly.why')}>{t('readonly')}</span>;
  const off = mode === 'none' || busy;
  const icon = 'icon';
  if (mode === 'paused') {
    return (
      <span className="controls" role="group" aria-label={t('run.controls')}>
        <Control icon={<Play className={icon} />} label={t('run.continue')} keys="F8" look="solid" testid="continue" onClick={() => void resume()} disabled={off} />
        <Control icon={<StepForward className={icon} />} label={t('run.step')} keys="F10" testid="step" onClick={() => void step()} disabled={off} />
        <Control icon={<RedoDot className={icon} />} label={t('run.steptool')} keys="F11" testid="step-tool" onClick={() => void stepTool()} disabled={off} />
        <Control icon={<X className={icon} />} label={t('run.abandon')} testid="abandon" onClick={() => void abandon().then((ok) => ok && toast(t('run.abandoned')))} disabled={off} />
        <Control icon={<Square className={icon} />} label={t('run.stop')} testid="stop" onClick={() => void stop()} disabled={off} />
      </span>
    );
  }
  const running = mode === 'running' || mode === 'stopping';
  const armed = (arm: () => Promise<boolean>, said: string) => () => void arm().then((ok) => ok && toast(said));
  return (
    <span className="controls" role="group" aria-label={t('run.controls')}>
      <Control icon={<Play className={icon} />} label={t(running ? 'run.running' : retryable ? 'run.retry' : 'run.run')} keys="F5" look={running ? 'on' : ''} testid="run" onClick={() => !running && run(retryable)} disabled={off && !running} />
      <Control icon={<Pause className={icon} />} label={t('run.pause')} keys="F8" testid="pause" onClick={() => void pause()} disabled={off || mode !== 'running'} />
      <Control icon={<StepForward className={icon} />} label={t('run.step')} keys="F10" testid="step" onClick={armed(step, t('run.armed.request'))} disabled={off || running} />
      <Control icon={<RedoDot className={icon} />} label={t('run.steptool')} keys="F11" testid="step-tool" onClick={armed(stepTool, t('run.armed.tool'))} disabled={off || running} />
      <Control icon={<Square className={icon} />} label={t('run.stop')} testid="stop" onClick={() => void stop()} disabled={off || mode !== 'running'} />
    </span>
  );
}
