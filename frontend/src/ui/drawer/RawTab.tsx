import { service } from '../../state/actions';
import { useApp } from '../../state/store';
import { useWords } from '../words';
import { LongText } from './LongText';

/** The body of the shown request: the bytes that were sent. */
export function RawTab() {
  const { t } = useWords();
  const session = useApp((s) => s.choice.session);
  const row = useApp((s) => s.view?.row);
  if (!row) return <p className="empty">{t('request.loading')}</p>;
  const ref = { session, n: row.n };
  return <LongText json name={t(row.staged ? 'raw.staged' : 'raw.title', { at: row.n })} textKey={`${session}/${row.n}/${row.bytes}/${row.staged}`} read={(o) => service().body(ref, o)} highlight={row.tail > 0 ? '<zimoos' : undefined} />;
}

/** The response as received. */
export function ResponseTab() {
  const { t } = useWords();
  const session = useApp((s) => s.choice.session);
  const row = useApp((s) => s.view?.row);
  if (!row) return <p className="empty">{t('request.loading')}</p>;
  if (row.staged) return <p className="empty">{t('response.staged')}</p>;
  const ref = { session, n: row.n };
  return <LongText json name={t('response.title', { at: row.n })} textKey={`${session}/${row.n}/${row.status}`} read={(o) => service().response(ref, o)} />;
}
