import { CornerDownLeft, RotateCcw } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Key } from '../../i18n';
import { isImage } from '../../model/picture';
import { attachPictures, prompt, retry } from '../../state/actions';
import { waiting } from '../../state/pictures';
import { useApp } from '../../state/store';
import { selectMode, selectSession } from '../RunControls';
import { useWords } from '../words';
import { AttachButton, Attached } from './Attached';

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
  const pictures = useApp(waiting);
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
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
    <div className={pictures.length > 0 ? 'composer with' : 'composer'}>
      <Attached list={pictures} onRemoved={() => field.current?.focus()} />
      <AttachButton />
      <textarea
        ref={field}
        value={text}
        rows={1}
        placeholder={error !== '' ? tell(error) : t(pictures.length > 0 ? 'composer.with' : 'composer.placeholder')}
        title={tell(error) || t('composer.why')}
        aria-label={t('composer.label')}
        data-testid="composer"
        data-focus
        onChange={(e) => {
          setText(e.target.value);
          e.target.style.height = '34px';
          e.target.style.height = `${Math.min(120, e.target.scrollHeight)}px`;
        }}
        onPaste={(e) => {
          const files = picturesOf(e.clipboardData);
          if (files.length === 0) return;
          e.preventDefault();
          void attachPictures(files);
        }}
        onKeyDown={(e) => {
          if (e.key !== 'Enter' || e.shiftKey || e.nativeEvent.isComposing) return;
          e.preventDefault();
          send();
        }}
      />
      {retryable && (
        <button type="button" className="btn small line" data-testid="retry" title={tell(error) || t('run.retry.why')} disabled={busy} onClick={() => void retry()}>
          <RotateCcw className="icon" />
          {t('run.retry')}
        </button>
      )}
      <Send disabled={text.trim() === '' || busy} why={pictures.length > 0 && text.trim() === '' ? t('composer.with') : undefined} onClick={send} />
    </div>
  );
}

/** What of a paste is a picture. Words that come with a picture of themselves, as office programs give them, are words. */
function picturesOf(data: DataTransfer): File[] {
  return data.getData('text/plain') === '' ? [...data.files].filter(isImage) : [];
}

function Send({ disabled, why, onClick }: { disabled: boolean; why?: string; onClick: () => void }) {
  const { t } = useWords();
  return (
    <button type="button" className="btn small" data-testid="send" title={why} disabled={disabled} onClick={onClick}>
      {t('send')}
      <CornerDownLeft className="icon" />
    </button>
  );
}
