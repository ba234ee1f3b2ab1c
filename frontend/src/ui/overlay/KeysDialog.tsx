import { useEffect, useState } from 'react';
import type { KeyState } from '../../api/types.gen';
import { service, toast } from '../../state/actions';
import { message } from '../../state/sync';
import { Dialog } from '../Dialog';
import { Told } from '../parts';
import { useWords } from '../words';

/** Milliseconds after the last letter of a name before the keyring is asked about it. */
const ASK_MS = 300;

/** Keys in the system's keyring: written and deleted here, never read back. */
export function KeysDialog() {
  const { t } = useWords();
  const [name, setName] = useState('default');
  const [key, setKey] = useState('');
  const [state, setState] = useState<KeyState | null>(null);
  const [failed, setFailed] = useState('');
  const [asked, setAsked] = useState(0);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let here = true;
    const timer = setTimeout(() => {
      service().keyState(name.trim()).then((s) => here && setState(s), (e: unknown) => here && setFailed(message(e)));
    }, ASK_MS);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [name, asked]);
  const act = (run: () => Promise<void>, said: string) => {
    setBusy(true);
    setFailed('');
    run().then(
      () => {
        setKey('');
        toast(said);
        setAsked(asked + 1);
        setBusy(false);
      },
      (e: unknown) => {
        setFailed(message(e));
        setBusy(false);
      },
    );
  };
  const id = name.trim();
  const save = () => {
    if (key.trim() !== '' && id !== '') act(() => service().saveKey(id, key), t('keys.saved', { name: id }));
  };
  const none = state !== null && !state.available;
  return (
    <Dialog
      title={t('keys.title')}
      width={520}
      footer={
        <>
          <button type="button" className="btn line" data-testid="key-delete" disabled={busy || !state?.saved} onClick={() => act(() => service().deleteKey(id), t('keys.deleted', { name: id }))}>{t('keys.delete')}</button>
          <button type="button" className="btn solid" data-testid="key-save" disabled={busy || none || key.trim() === '' || id === ''} onClick={save}>{t('keys.save')}</button>
        </>
      }
    >
      <form className="content padded" data-testid="keys" onSubmit={(e) => { e.preventDefault(); save(); }}>
        <p className="t2">{t('keys.why')}</p>
        {none && <div className="note warn" role="status" data-testid="keys-none"><p>{t('keys.none')}</p>{state.why !== '' && <small><Told text={state.why} /></small>}</div>}
        <div className="form-row">
          <label htmlFor="key-name">{t('keys.name')}</label>
          <input id="key-name" data-autofocus className="field mono" value={name} spellCheck={false} autoComplete="off" maxLength={64} data-testid="key-name" onChange={(e) => setName(e.target.value)} />
          <small>{t('keys.name.why', { line: `"apiKeyKeyring": "${id}"` })}</small>
        </div>
        <div className="form-row">
          <label htmlFor="key-value">{t('keys.key')}{state?.saved && <span className="ok s11">{t('keys.there')}</span>}</label>
          <input id="key-value" type="password" className="field mono" value={key} autoComplete="new-password" spellCheck={false} data-testid="key-value" onChange={(e) => setKey(e.target.value)} />
          <small>{t('keys.key.why')}</small>
        </div>
        {failed !== '' && <p className="bad" role="alert">{failed}</p>}
      </form>
    </Dialog>
  );
}
