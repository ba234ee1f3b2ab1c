import { useState } from 'react';
import { modeOf } from '../../model/run';
import { compactSession, deleteSession, renameSession, show } from '../../state/actions';
import { useApp } from '../../state/store';
import { Dialog } from '../Dialog';
import { useWords } from '../words';

function useSession(id: string) {
  return useApp((s) => s.snapshot?.sessions.find((x) => x.id === id));
}

export function RenameSession({ id }: { id: string }) {
  const { t } = useWords();
  const session = useSession(id);
  const [name, setName] = useState(session?.name ?? '');
  const save = () => {
    if (name.trim() === '') return;
    show(null);
    void renameSession(id, name.trim());
  };
  return (
    <Dialog
      title={t('session.rename')}
      width={420}
      footer={
        <>
          <button type="button" className="btn" onClick={() => show(null)}>{t('cancel')}</button>
          <button type="button" className="btn solid" disabled={name.trim() === ''} data-testid="rename-save" onClick={save}>{t('session.rename.do')}</button>
        </>
      }
    >
      <form className="content padded" onSubmit={(e) => { e.preventDefault(); save(); }}>
        <input data-autofocus className="field" value={name} aria-label={t('session.name')} maxLength={200} onChange={(e) => setName(e.target.value)} />
      </form>
    </Dialog>
  );
}

export function DeleteSession({ id }: { id: string }) {
  const { t, f } = useWords();
  const session = useSession(id);
  if (!session) return null;
  const name = session.name || session.id;
  const remove = () => {
    show(null);
    void deleteSession(id, name, { said: t('session.deleted', { name }), undo: t('undo') });
  };
  return (
    <Dialog
      title={t('session.delete')}
      width={420}
      footer={
        <>
          <button type="button" className="btn" data-autofocus onClick={() => show(null)}>{t('cancel')}</button>
          <button type="button" className="btn danger" data-testid="delete-confirm" onClick={remove}>{t('session.delete.move')}</button>
        </>
      }
    >
      <div className="content padded">
        <p className="t2">{t('session.delete.ask', { name, requests: t('requests', { n: session.requests }), size: f.size(session.bytes) })}</p>
      </div>
    </Dialog>
  );
}

/** Says what compacting does, then what it did. */
export function CompactSession({ id }: { id: string }) {
  const { t, f } = useWords();
  const session = useSession(id);
  const busy = useApp((s) => s.busy === 'compact');
  const running = useApp((s) => s.snapshot?.current === id && modeOf(s.snapshot.state, session) !== 'idle');
  if (!session) return null;
  const go = () => void compactSession(id, (c) => t(c.after < c.before ? 'compact.done' : 'compact.nothing', { before: f.size(c.before), after: f.size(c.after) })).then((ok) => ok && show(null));
  return (
    <Dialog
      title={t('compact.title')}
      width={420}
      footer={
        <>
          <button type="button" className="btn" onClick={() => show(null)}>{t('cancel')}</button>
          <button type="button" className="btn solid" data-autofocus data-testid="compact-confirm" disabled={busy || running} onClick={go}>{t(busy ? 'compact.running' : 'compact.do')}</button>
        </>
      }
    >
      <div className="content padded">
        <p className="t2">{t('compact.ask', { name: session.name || session.id, size: f.size(session.bytes) })}</p>
        {running && <p className="warn" role="status">{t('compact.busy')}</p>}
      </div>
    </Dialog>
  );
}
