import { CornerDownLeft, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { Key } from '../../i18n';
import { prompt, retry } from '../../state/actions';
import { useApp } from '../../state/store';
import { selectMode, selectSession } from '../RunControls';
import { useWords } from '../words';

const SAID: Record<string, Key> = {
  running: 'composer.running', stopping: 'composer.stopping', paused: 'composer.paused', 'read-only': 'composer.readonly', none: 'composer.none',
};

/** Where the user writes to the agent. While it works, the reason why not stands in its place. */
export function Composer() {
  const { t, tell } = useWords();
  const mode = useApp(selectMode);
  const error = useApp((s) => s.snapshot?.state.error ?? '');
  const retryable = useApp((s) => s.snapshot?.state.retryable ?? false);
  const busy = useApp((s) => s.busy !== '');
  const foreign = useApp((s) => selectSession(s)?.foreign ?? '');
  const [text, setText] = useState('');
  if (foreign !== '') return <div className="composer" data-testid="composer-off"><span className="said" title={t('composer.foreign')}>{t('composer.foreign')}</span></div>;
  if (mode !== 'idle') {
    return (
      <div className="composer" data-testid="composer-off">
        <span className="said" title={t(SAID[mode])}>{t(SAID[mode])}</span>
        {mode !== 'read-only' && mode !== 'none' && <Send disabled onClick={() => undefined} />}
      </div>
    );
  }
  const send = () => {
    const words = text.trim();
    if (words === '' || busy) return;
    void prompt(words).then((ok) => ok && setText(''));
  };
  return (
    <div className="composer">
      <textarea
        value={text}
        rows={1}
        placeholder={error !== '' ? tell(error) : t('composer.placeholder')}
        title={tell(error)}
        aria-label={t('composer.label')}
        data-testid="composer"
        data-focus
        onChange={(e) => {
          setText(e.target.value);
          e.target.style.height = '34px';
          e.target.style.height = `${Math.min(120, e.target.scrollHeight)}px`;
        }}
        onKeyDown={(e) => {
          if (e.key !== 'Enter' || e.shiftKey || e.nativeEvent.isComposing) return;
          e.preventDefault();
          send();
        }}
      />
      {retryable && (
        <button type="button" className="btn small line" data-testid="retry" title={tell(error)} disabled={busy} onClick={() => void retry()}>
          <RotateCcw className="icon" />
          {t('run.retry')}
        </button>
      )}
      <Send disabled={text.trim() === '' || busy} onClick={send} />
    </div>
  );
}

function Send({ disabled, onClick }: { disabled: boolean; onClick: () => void }) {
  const { t } = useWords();
  return (
    <button type="button" className="btn small" data-testid="send" disabled={disabled} onClick={onClick}>
      {t('send')}
      <CornerDownLeft className="icon" />
    </button>
  );
}
