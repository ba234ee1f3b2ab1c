import { RotateCcw, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { DeletedSession } from '../../api/types.gen';
import { purgeSession, restoreSession, service } from '../../state/actions';
import { message } from '../../state/sync';
import { Dialog } from '../Dialog';
import { useWords } from '../words';

/** Deleted sessions, until they are gone for good. */
export function TrashDialog() {
  const { t } = useWords();
  const [list, setList] = useState<DeletedSession[] | null>(null);
  const [failed, setFailed] = useState('');
  const read = useCallback(() => service().trash().then(setList, (e: unknown) => setFailed(message(e))), []);
  useEffect(() => void read(), [read]);
  return (
    <Dialog title={t('trash.title')} width={560}>
      <div className="content padded" data-testid="trash">
        {failed !== '' && <p className="bad" role="alert">{failed}</p>}
        <p className="t2">{t('trash.why')}</p>
        {list?.length === 0 && <p className="t3">{t('trash.empty')}</p>}
        <ul className="trash">
          {list?.map((d) => <Line key={d.id} session={d} done={() => void read()} />)}
        </ul>
      </div>
    </Dialog>
  );
}

function Line({ session, done }: { session: DeletedSession; done: () => void }) {
  const { t, f } = useWords();
  const [sure, setSure] = useState(false);
  const name = session.name || session.id;
  return (
    <li>
      <span className="grow">
        <span className="cut">{name}</span>
        <small className="t3">{[t('requests', { n: session.requests }), f.size(session.bytes), t('trash.gone', { at: f.date(session.goneAt) })].join(' · ')}</small>
      </span>
      <button type="button" className="btn small line" aria-label={t('trash.restore.of', { name })} onClick={() => void restoreSession(session.id).then(done)}>
        <RotateCcw className="icon" />
        {t('trash.restore')}
      </button>
      {sure ? (
        <button type="button" className="btn small danger" autoFocus onBlur={() => setSure(false)} onClick={() => void purgeSession(session.id).then(done)}>{t('session.delete.do')}</button>
      ) : (
        <button type="button" className="btn square small" title={t('session.delete.do')} aria-label={t('trash.purge.of', { name })} onClick={() => setSure(true)}>
          <Trash2 className="icon" />
        </button>
      )}
    </li>
  );
}
