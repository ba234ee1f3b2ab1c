import { ChevronDown, Pencil, Play, Plus, Trash2 } from 'lucide-react';
import type { SessionInfo } from '../api/types.gen';
import { create, openSession, show } from '../state/actions';
import { useApp } from '../state/store';
import { Glyph } from './Glyph';
import { Popover } from './Popover';
import { selectSession } from './RunControls';
import { useWords } from './words';

function Line({ session, current, close }: { session: SessionInfo; current: boolean; close: () => void }) {
  const { t, f } = useWords();
  const facts = [
    t('requests', { n: session.requests }),
    session.violations > 0 ? t('violations', { n: session.violations }) : '',
    f.size(session.bytes),
    f.date(session.updatedAt),
    session.heldBy ? t('held', { by: session.heldBy }) : '',
  ].filter((x) => x !== '');
  const ask = (kind: 'rename' | 'delete') => {
    close();
    show({ kind, session: session.id });
  };
  return (
    <div className="session-item">
      <button
        type="button"
        className="menu-item"
        aria-current={current}
        onClick={() => {
          close();
          void openSession(session.id);
        }}
      >
        {current ? <Glyph name="check" className="acc" /> : <span />}
        <span>{session.name || session.id}</span>
        <small>{facts.join(' · ')}</small>
      </button>
      <span className="side">
        <button type="button" className="btn square small" title={t('session.rename')} aria-label={t('session.rename.of', { name: session.name })} disabled={session.readOnly} onClick={() => ask('rename')}>
          <Pencil className="icon" />
        </button>
        <button type="button" className="btn square small" title={t('session.delete')} aria-label={t('session.delete.of', { name: session.name })} disabled={session.heldBy !== ''} onClick={() => ask('delete')}>
          <Trash2 className="icon" />
        </button>
      </span>
    </div>
  );
}

export function SessionMenu() {
  const { t, lang } = useWords();
  const sessions = useApp((s) => s.snapshot?.sessions) ?? [];
  const current = useApp(selectSession);
  return (
    <Popover
      className="session"
      label={t('session.menu')}
      width={380}
      testid="session-menu"
      button={
        <>
          <span className="cut">{current ? current.name || current.id : t('session.none')}</span>
          <ChevronDown className="icon" />
        </>
      }
    >
      {(close) => (
        <div className="menu">
          {sessions.map((s) => (
            <Line key={s.id} session={s} current={s.id === current?.id} close={close} />
          ))}
          {sessions.length === 0 && <p className="menu-title">{t('session.empty')}</p>}
          <div className="menu-sep" />
          <button type="button" className="menu-item" onClick={() => { close(); show({ kind: 'new' }); }}>
            <Plus className="icon" />
            {t('session.new')}
          </button>
          <button type="button" className="menu-item" onClick={() => { close(); void create({ name: '', config: '', demo: true, lang }); }}>
            <Play className="icon" />
            {t('session.demo')}
          </button>
        </div>
      )}
    </Popover>
  );
}
