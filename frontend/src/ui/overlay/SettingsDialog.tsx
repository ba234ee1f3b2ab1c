import { useEffect, useState } from 'react';
import type { SessionSettings } from '../../api/types.gen';
import { fromForm, isChanged, problems, toForm, type SettingsForm } from '../../model/settings';
import { configure, service, show, toast } from '../../state/actions';
import { useApp } from '../../state/store';
import { message } from '../../state/sync';
import { Dialog } from '../Dialog';
import { useWords } from '../words';
import { SettingsFields } from './SettingsForm';

/** What a session runs on: shown for every session, changed where the program can announce the change. */
export function SettingsDialog({ id }: { id: string }) {
  const { t, f } = useWords();
  const session = useApp((s) => s.snapshot?.sessions.find((x) => x.id === id));
  const busy = useApp((s) => s.busy !== '');
  const [got, setGot] = useState<SessionSettings | null>(null);
  const [failed, setFailed] = useState('');
  const [form, setForm] = useState<SettingsForm | null>(null);
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    let here = true;
    service().settings(id).then(
      (s) => {
        if (!here) return;
        setGot(s);
        setForm(toForm(s));
      },
      (e: unknown) => here && setFailed(message(e)),
    );
    return () => {
      here = false;
    };
  }, [id]);
  if (!session) return null;
  const editable = got?.editable === true && !session.readOnly;
  const wrong = form ? problems(form) : [];
  const save = () => {
    setAsked(true);
    if (!form || wrong.length > 0) return;
    void configure(id, fromForm(form)).then((ok) => {
      if (!ok) return;
      show(null);
      toast(t('settings.saved'));
    });
  };
  return (
    <Dialog
      title={t('settings.title', { name: session.name || session.id })}
      width={720}
      footer={
        <>
          <span className="grow with t3">{t('settings.stored', { size: f.size(session.bytes) })}<button type="button" className="link" data-testid="settings-compact" onClick={() => show({ kind: 'compact', session: id })}>{t('compact.open')}</button></span>
          <button type="button" className="btn" onClick={() => show(null)}>{t(editable ? 'cancel' : 'close')}</button>
          {editable && <button type="button" className="btn solid" data-testid="settings-save" disabled={busy || !form || !got || !isChanged(form, got)} onClick={save}>{t('settings.save')}</button>}
        </>
      }
    >
      <form className="content padded" data-testid="settings" onSubmit={(e) => { e.preventDefault(); if (editable) save(); }}>
        {failed !== '' && <p className="bad" role="alert">{failed}</p>}
        {got && <Notices of={got} held={session.readOnly} />}
        {got && form && <SettingsFields form={form} of={got} problems={asked ? wrong : []} onChange={editable ? setForm : undefined} />}
      </form>
    </Dialog>
  );
}

function Notices({ of, held }: { of: SessionSettings; held: boolean }) {
  const { t, say } = useWords();
  return (
    <>
      {of.why !== '' ? <p className="note" role="status">{say(`settings.why.${of.why}`)}</p> : held ? <p className="note" role="status">{t('settings.why.held')}</p> : <p className="t2">{t('settings.effect')}</p>}
      {of.pending && <p className="note acc" role="status" data-testid="settings-pending">{t('settings.pending')}</p>}
      {of.missing.length > 0 && <p className="note warn" role="status">{t('settings.missing', { list: of.missing.join(', ') })}</p>}
    </>
  );
}
