import { useState } from 'react';
import { create, deleteSession, renameSession, show } from '../../state/actions';
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
          <button type="button" className="btn solid" disabled={name.trim() === ''} onClick={save}>{t('session.rename.do')}</button>
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
  return (
    <Dialog
      title={t('session.delete')}
      width={420}
      footer={
        <>
          <button type="button" className="btn" data-autofocus onClick={() => show(null)}>{t('cancel')}</button>
          <button type="button" className="btn danger" data-testid="delete-confirm" onClick={() => { show(null); void deleteSession(id); }}>{t('session.delete.do')}</button>
        </>
      }
    >
      <div className="content padded">
        <p className="t2">{t('session.delete.ask', { name: session.name || session.id, requests: t('requests', { n: session.requests }), size: f.size(session.bytes) })}</p>
      </div>
    </Dialog>
  );
}

export function NewSessionForm() {
  const { t, lang } = useWords();
  const [name, setName] = useState('');
  const [config, setConfig] = useState('');
  const dir = useApp((s) => s.snapshot?.dataDir ?? '');
  const make = (demo: boolean) => {
    show(null);
    void create({ name: name.trim(), config: config.trim(), demo, lang });
  };
  return (
    <Dialog
      title={t('session.new')}
      width={520}
      footer={
        <>
          <button type="button" className="btn" onClick={() => show(null)}>{t('cancel')}</button>
          <button type="button" className="btn line" onClick={() => make(true)}>{t('session.demo')}</button>
          <button type="button" className="btn solid" data-testid="new-create" onClick={() => make(false)}>{t('session.create')}</button>
        </>
      }
    >
      <form className="content padded" onSubmit={(e) => { e.preventDefault(); make(false); }}>
        <div className="form-row">
          <label htmlFor="new-name">{t('session.name')}</label>
          <input id="new-name" data-autofocus className="field" value={name} maxLength={200} onChange={(e) => setName(e.target.value)} />
        </div>
        <div className="form-row">
          <label htmlFor="new-config">{t('session.config')}</label>
          <input id="new-config" className="field mono" value={config} spellCheck={false} placeholder="~/.my-agent/config.json" onChange={(e) => setConfig(e.target.value)} />
          <small>{t('session.config.why')}</small>
        </div>
        {dir !== '' && <p className="t3">{t('session.stored', { dir })}</p>}
        <button type="submit" className="reader-only" tabIndex={-1}>{t('session.create')}</button>
      </form>
    </Dialog>
  );
}
