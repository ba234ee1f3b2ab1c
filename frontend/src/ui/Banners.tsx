import { Lock, ServerCrash, TriangleAlert, Unplug } from 'lucide-react';
import { useState } from 'react';
import { visible } from '../model/visible';
import { retry } from '../state/actions';
import { useApp } from '../state/store';
import { selectSession } from './RunControls';
import { useWords } from './words';

interface Line {
  key: string;
  tone: 'bad' | 'mild';
  icon: React.ReactNode;
  text: string;
  more?: string;
  action?: React.ReactNode;
}

/** States that need words across the work area: provider down, a server down, read-only. */
export function Banners() {
  const { t, tell } = useWords();
  const state = useApp((s) => s.snapshot?.state);
  const session = useApp(selectSession);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  if (!state || !session) return null;
  const lines: Line[] = [];
  if (session.readOnly && session.heldBy !== '') {
    lines.push({ key: 'readonly', tone: 'mild', icon: <Lock className="icon" />, text: t('readonly.held', { by: session.heldBy }) });
  }
  if (state.provider.status === 'error') {
    lines.push({
      key: `provider ${state.provider.error}`, tone: 'bad', icon: <Unplug className="icon" />, text: t('provider.down', { host: state.provider.host || state.provider.model }), more: tell(state.provider.error),
      action: state.retryable ? <button type="button" className="btn small line" onClick={() => void retry()}>{t('run.retry')}</button> : undefined,
    });
  } else if (state.error !== '' && !session.readOnly) {
    lines.push({
      key: `error ${state.error}`, tone: 'bad', icon: <TriangleAlert className="icon" />, text: tell(state.error),
      action: state.retryable ? <button type="button" className="btn small line" onClick={() => void retry()}>{t('run.retry')}</button> : undefined,
    });
  }
  for (const s of state.servers) {
    if (s.status !== 'failed' && s.status !== 'exited') continue;
    const what = s.exitCode !== null ? t('server.down.code', { name: s.name, code: String(s.exitCode) }) : t('server.down', { name: s.name });
    lines.push({
      key: `server ${s.name} ${s.error}`, tone: 'bad', icon: <ServerCrash className="icon" />, text: `${what} ${t('server.down.kept')}`,
      more: [tell(s.error), visible(s.stderr.trim()), s.path ? `PATH=${s.path}` : ''].filter((x) => x !== '').join('\n'),
    });
  }
  return (
    <>
      {lines.filter((l) => !hidden.includes(l.key)).map((l) => (
        <div key={l.key} className={`banner ${l.tone === 'mild' ? 'mild' : ''}`} role={l.tone === 'bad' ? 'alert' : 'status'}>
          {l.icon}
          <div className="grow">
            {l.text}
            {l.more && <pre>{l.more}</pre>}
          </div>
          {l.action}
          <button type="button" className="btn small" onClick={() => setHidden([...hidden, l.key])}>{t('dismiss')}</button>
        </div>
      ))}
    </>
  );
}
