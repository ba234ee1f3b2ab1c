import { useState } from 'react';
import type { SessionSettings } from '../../api/types.gen';
import { fromForm, isChanged, problems, toForm, type SettingsForm } from '../../model/settings';
import { create, service, show, startDemo } from '../../state/actions';
import { useApp } from '../../state/store';
import { message } from '../../state/sync';
import { Dialog } from '../Dialog';
import { Told } from '../parts';
import { useWords } from '../words';
import { SettingsFields } from './SettingsForm';

/** A new session: on a configuration file as it is, or with settings of its own in the place of the file's. */
export function NewSessionForm() {
  const { t, lang } = useWords();
  const [name, setName] = useState('');
  const [config, setConfig] = useState('');
  const [draft, setDraft] = useState<SessionSettings | null>(null);
  const [form, setForm] = useState<SettingsForm | null>(null);
  const [failed, setFailed] = useState('');
  const [asked, setAsked] = useState(false);
  const dir = useApp((s) => s.snapshot?.dataDir ?? '');
  const busy = useApp((s) => s.busy !== '');
  const wrong = form ? problems(form) : [];
  const read = () => {
    setFailed('');
    service().draft(config.trim()).then(
      (d) => {
        setDraft(d);
        setForm(toForm(d));
      },
      (e: unknown) => setFailed(message(e)),
    );
  };
  const make = () => {
    setAsked(true);
    if (wrong.length > 0) return;
    const settings = form && draft && isChanged(form, draft) ? fromForm(form) : null;
    void create({ name: name.trim(), config: config.trim(), demo: false, lang, settings }).then((ok) => ok && show(null));
  };
  return (
    <Dialog
      title={t('session.new.title')}
      width={draft ? 720 : 520}
      footer={
        <>
          <button type="button" className="btn" onClick={() => show(null)}>{t('cancel')}</button>
          <button type="button" className="btn line" onClick={() => { show(null); void startDemo(lang); }}>{t('session.demo')}</button>
          <button type="button" className="btn solid" data-testid="new-create" disabled={busy} onClick={make}>{t('session.create')}</button>
        </>
      }
    >
      <form className="content padded" onSubmit={(e) => { e.preventDefault(); make(); }}>
        <div className="form-row">
          <label htmlFor="new-name">{t('session.name')}</label>
          <input id="new-name" data-autofocus className="field" value={name} maxLength={200} onChange={(e) => setName(e.target.value)} />
        </div>
        <div className="form-row">
          <label htmlFor="new-config">{t('session.config')}</label>
          <span className="beside">
            <input id="new-config" className="field mono" value={config} spellCheck={false} placeholder="~/.my-agent/config.json" onChange={(e) => { setConfig(e.target.value); setDraft(null); setForm(null); }} />
            <button type="button" className="btn line" data-testid="new-settings" aria-expanded={draft !== null} onClick={read}>{t('session.settings')}</button>
          </span>
          {failed !== '' ? <span className="wrong" role="alert"><Told text={failed} /></span> : <small>{t('session.config.why')}</small>}
        </div>
        {draft && form && <SettingsFields form={form} of={draft} problems={asked ? wrong : []} onChange={setForm} />}
        {dir !== '' && <p className="t3 s11">{t('session.stored', { dir })}</p>}
        <button type="submit" className="reader-only" tabIndex={-1}>{t('session.create')}</button>
      </form>
    </Dialog>
  );
}
