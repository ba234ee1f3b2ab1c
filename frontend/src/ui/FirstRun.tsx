import { FileInput, Play, Plug, Radio, SquareTerminal } from 'lucide-react';
import { visible } from '../model/visible';
import { openSession, show, startDemo } from '../state/actions';
import { useApp } from '../state/store';
import { chooseFiles } from './files';
import { useWords } from './words';

interface Bar {
  history: number;
  fresh: number;
}

const BARS: readonly Bar[] = [{ history: 0, fresh: 56 }, { history: 56, fresh: 64 }, { history: 120, fresh: 56 }, { history: 176, fresh: 72 }];
const PREFIX = 200;
const START = 32;

/** Four requests of one session, drawn with the three marks that the whole window uses. */
function Picture() {
  const { t } = useWords();
  return (
    <svg viewBox="0 0 640 148" width="100%" role="img" aria-label={t('first.picture')}>
      {BARS.map((b, i) => {
        const y = i * 28;
        const x = START + PREFIX + 2;
        const end = x + b.history + (b.history > 0 ? 2 : 0);
        return (
          <g key={i}>
            <text x="0" y={y + 12}>{`#${i + 1}`}</text>
            <rect x={START} y={y} width={PREFIX} height="16" rx="2" fill="var(--seg-prefix)" />
            {b.history > 0 && <rect x={x} y={y} width={b.history} height="16" rx="2" fill="var(--seg-hist)" />}
            <rect x={end} y={y} width={b.fresh} height="16" rx="2" fill="var(--accent-mark)" />
            <rect x={end + b.fresh + 2.75} y={y + 0.75} width="62.5" height="14.5" rx="2" fill="none" stroke="var(--line-3)" strokeWidth="1.5" />
          </g>
        );
      })}
      <path d="M32 108v4H232v-4M234 108v4H486v-4M488 108v4H552v-4" fill="none" stroke="var(--line-2)" />
      <text className="strong" x="32" y="130">{t('prefix')}</text>
      <text x="32" y="146">{t('first.prefix')}</text>
      <text className="strong" x="234" y="130">{t('first.history.name')}</text>
      <text x="234" y="146">{t('first.history')}</text>
      <text className="strong" x="488" y="130">{t('first.carrier.name')}</text>
      <text x="488" y="146">{t('first.carrier')}</text>
    </svg>
  );
}

export function FirstRun() {
  const { t, f, lang } = useWords();
  const sessions = useApp((s) => s.snapshot?.sessions) ?? [];
  const busy = useApp((s) => s.busy);
  return (
    <main className="hero" data-testid="first-run" data-region="panes">
      <div className="hero-in">
        <Picture />
        <h1>{t('first.title')}</h1>
        <p>{t('first.text')}</p>
        <button type="button" className="btn solid go" autoFocus data-testid="start-demo" disabled={busy !== ''} onClick={() => void startDemo(lang)}>
          <Play className="icon" />
          {t(busy === 'create' ? 'first.starting' : 'first.start')}
        </button>
        <p className="fine">{t('first.demo')}</p>
        {sessions.length > 0 && (
          <div className="others">
            <span className="t3">{t('first.others')}</span>
            {sessions.slice(0, 5).map((s) => (
              <span key={s.id}>
                <button type="button" className="link" onClick={() => void openSession(s.id)}>{visible(s.name) || s.id}</button>{' '}
                <span className="t3">{t('requests', { n: s.requests })} · {f.date(s.updatedAt)}</span>
              </span>
            ))}
          </div>
        )}
        <div className="more">
          <div>
            <button type="button" className="link" onClick={() => show({ kind: 'new' })}><Plug className="icon" />{t('first.connect')}</button>
            <span>{t('first.connect.text')}</span>
          </div>
          <div>
            <button type="button" className="link" data-testid="first-import" onClick={chooseFiles}><FileInput className="icon" />{t('import.open')}</button>
            <span>{t('first.import.text')}</span>
          </div>
          <div>
            <button type="button" className="link" onClick={() => show({ kind: 'proxy' })}><Radio className="icon" />{t('proxy.open')}</button>
            <span>{t('first.proxy.text')}</span>
          </div>
          <div>
            <strong><SquareTerminal className="icon" />{t('first.check')}</strong>
            <span>{t('first.check.text')} <code>zimoscope check PATH…</code></span>
          </div>
        </div>
        <p className="keys">
          <kbd>Ctrl K</kbd><span>{t('palette.title')}</span>
          <kbd>?</kbd><span>{t('help.title')}</span>
        </p>
      </div>
    </main>
  );
}
