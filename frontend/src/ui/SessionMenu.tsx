import { ChevronDown, FileInput, Flag, Pencil, Pin, PinOff, Play, Plus, Radio, Search, SlidersHorizontal, Trash2 } from 'lucide-react';
import type { SessionInfo } from '../api/types.gen';
import { listed } from '../model/sessions';
import { visible } from '../model/visible';
import { openSession, pinSession, show, startDemo } from '../state/actions';
import { useApp } from '../state/store';
import { chooseFiles } from './files';
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
  const ask = (kind: 'rename' | 'delete' | 'settings') => {
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
        <span className="with"><span className="cut">{visible(session.name) || session.id}</span>{session.pinned && <Pin className="icon mini" aria-label={t('session.pinned')} />}{session.baseline !== '' && <span className="tag" title={t('baseline.named', { name: session.baseline })}><Flag className="icon mini" />{session.baseline}</span>}{session.foreign !== '' && <span className="tag" title={t('foreign.session.why')}>{t(session.foreign === 'proxy' ? 'foreign.proxy' : 'foreign.import')}</span>}</span>
        <small>{facts.join(' · ')}</small>
      </button>
      <span className="side">
        <button type="button" className={session.pinned ? 'btn square small acc' : 'btn square small'} aria-pressed={session.pinned} data-testid={`pin-${session.id}`} title={t(session.pinned ? 'session.unpin' : 'session.pin')} aria-label={t(session.pinned ? 'session.unpin.of' : 'session.pin.of', { name: session.name })} disabled={session.readOnly} onClick={() => void pinSession(session.id, !session.pinned)}>
          {session.pinned ? <PinOff className="icon" /> : <Pin className="icon" />}
        </button>
        <button type="button" className="btn square small" title={t('session.rename')} aria-label={t('session.rename.of', { name: session.name })} disabled={session.readOnly} onClick={() => ask('rename')}>
          <Pencil className="icon" />
        </button>
        <button type="button" className="btn square small" title={t('settings.open')} aria-label={t('settings.of', { name: session.name })} onClick={() => ask('settings')}>
          <SlidersHorizontal className="icon" />
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
      width={440}
      testid="session-menu"
      button={
        <>
          <span className="cut">{current ? visible(current.name) || current.id : t('session.none')}</span>
          <ChevronDown className="icon" />
        </>
      }
    >
      {(close) => (
        <div className="menu">
          {listed(sessions).map((s) => (
            <Line key={s.id} session={s} current={s.id === current?.id} close={close} />
          ))}
          {sessions.length === 0 && <p className="menu-title">{t('session.empty')}</p>}
          <div className="menu-sep" />
          <button type="button" className="menu-item" onClick={() => { close(); show({ kind: 'new' }); }}>
            <Plus className="icon" />
            {t('session.new')}
          </button>
          <button type="button" className="menu-item" onClick={() => { close(); void startDemo(lang); }}>
            <Play className="icon" />
            {t('session.demo')}
          </button>
          <button type="button" className="menu-item" data-testid="import" onClick={() => { close(); chooseFiles(); }}>
            <FileInput className="icon" />
            {t('import.open')}
          </button>
          <button type="button" className="menu-item" data-testid="proxy" onClick={() => { close(); show({ kind: 'proxy' }); }}>
            <Radio className="icon" />
            {t('proxy.open')}
          </button>
          <div className="menu-sep" />
          <button type="button" className="menu-item" onClick={() => { close(); show({ kind: 'search' }); }}>
            <Search className="icon" />
            <span className="grow">{t('search.open')}</span>
            <kbd>Ctrl Shift F</kbd>
          </button>
          <button type="button" className="menu-item" onClick={() => { close(); show({ kind: 'trash' }); }}>
            <Trash2 className="icon" />
            {t('trash.open')}
          </button>
        </div>
      )}
    </Popover>
  );
}
