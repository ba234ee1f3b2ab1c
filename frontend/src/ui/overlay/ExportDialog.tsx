import { useState } from 'react';
import { exportSession, show } from '../../state/actions';
import { useApp } from '../../state/store';
import { Dialog } from '../Dialog';
import { useWords } from '../words';

const FORMATS = ['html', 'jsonl', 'har', 'otlp', 'proof', 'curl'] as const;
type Format = (typeof FORMATS)[number];

/** Writes a session, or the shown request of it, for other programs and people. */
export function ExportDialog({ id }: { id: string }) {
  const { t } = useWords();
  const session = useApp((s) => s.snapshot?.sessions.find((x) => x.id === id));
  const n = useApp((s) => (s.choice.session === id && s.view && !s.view.row.staged ? s.choice.n : 0));
  const busy = useApp((s) => s.busy !== '');
  const [format, setFormat] = useState<Format>('html');
  const [one, setOne] = useState(false);
  if (!session) return null;
  const single = format === 'curl' || (one && format !== 'proof');
  const possible = !single || n > 0;
  const go = () => {
    if (!possible) return;
    show(null);
    void exportSession({ session: id, format, request: single ? n : 0 });
  };
  return (
    <Dialog
      title={t('export.title', { name: session.name || id })}
      width={560}
      footer={
        <>
          <button type="button" className="btn" onClick={() => show(null)}>{t('cancel')}</button>
          <button type="button" className="btn solid" data-testid="export-do" disabled={busy || !possible} onClick={go}>{t('export.do')}</button>
        </>
      }
    >
      <form className="content padded" onSubmit={(e) => { e.preventDefault(); go(); }}>
        <fieldset className="choices">
          <legend className="reader-only">{t('export.format')}</legend>
          {FORMATS.map((x, i) => (
            <label key={x} className="radio">
              <input type="radio" name="export-format" value={x} checked={format === x} data-autofocus={i === 0 || undefined} data-testid={`export-${x}`} disabled={x === 'curl' && n === 0} onChange={() => setFormat(x)} />
              <span>{t(`export.${x}`)}</span>
              <small>{t(`export.${x}.why`)}</small>
            </label>
          ))}
        </fieldset>
        {n > 0 && format !== 'curl' && format !== 'proof' && (
          <label className="check"><input type="checkbox" checked={one} onChange={(e) => setOne(e.target.checked)} /> {t('export.one', { at: n })}</label>
        )}
        {format === 'proof' && <p className="note" role="status" data-testid="export-how">{t('export.proof.how')}</p>}
        <p className="t3">{t('export.secrets')}</p>
        <button type="submit" className="reader-only" tabIndex={-1}>{t('export.do')}</button>
      </form>
    </Dialog>
  );
}
