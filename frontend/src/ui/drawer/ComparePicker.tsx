import { useEffect, useState } from 'react';
import { visible } from '../../model/visible';
import type { RequestRow } from '../../api/types.gen';
import { compareWith, service } from '../../state/actions';
import { useApp } from '../../state/store';
import { Glyph } from '../Glyph';
import { Verdict } from '../parts';
import { Popover } from '../Popover';
import { useWords } from '../words';

/** Requests listed at once; the number box reaches all. */
const LISTED = 100;

/** Rows of a session: the open one's are here, another's are pulled. */
function useRows(session: string): RequestRow[] {
  const open = useApp((s) => s.timeline);
  const [other, setOther] = useState<RequestRow[]>([]);
  const here = open?.session === session;
  useEffect(() => {
    if (here || session === '') return;
    let current = true;
    service().timeline(session).then((tl) => current && setOther(tl.rows), () => current && setOther([]));
    return () => {
      current = false;
    };
  }, [here, session]);
  return here ? open.rows : other;
}

function Picker({ close }: { close: () => void }) {
  const { t } = useWords();
  const sessions = useApp((s) => s.snapshot?.sessions) ?? [];
  const choice = useApp((s) => s.choice);
  const [session, setSession] = useState(choice.base?.session ?? choice.session);
  const [number, setNumber] = useState('');
  const rows = useRows(session);
  const take = (n: number) => {
    if (!rows.some((r) => r.n === n)) return;
    compareWith({ session, n });
    close();
  };
  const found = rows.filter((r) => (number === '' || String(r.n).startsWith(number)) && !(session === choice.session && r.n === choice.n)).slice(-LISTED).reverse();
  return (
    <div className="menu">
      <div className="menu-title">{t('compare.session')}</div>
      <select className="field" value={session} aria-label={t('compare.session')} onChange={(e) => setSession(e.target.value)}>
        {sessions.map((s) => <option key={s.id} value={s.id}>{visible(s.name) || s.id}</option>)}
      </select>
      <div className="menu-title">{t('compare.number')}</div>
      <input className="field" inputMode="numeric" value={number} placeholder="#" aria-label={t('compare.number')} data-testid="compare-number" onChange={(e) => setNumber(e.target.value.replace(/\D/g, ''))} onKeyDown={(e) => e.key === 'Enter' && take(Number(number))} />
      <div className="menu-sep" />
      <button type="button" className="menu-item" onClick={() => { compareWith(null); close(); }}>{t('compare.predecessor')}</button>
      {found.map((r) => (
        <button key={r.n} type="button" className="menu-item" onClick={() => take(r.n)}>
          <span className="number">#{r.n}</span>
          <Verdict verdict={r.verdict} planned={r.planned} staged={r.staged} />
          <span className="t3 cut">{visible(r.tools.join(', '))}</span>
        </button>
      ))}
      {found.length === 0 && <p className="menu-title">{t('compare.nothing')}</p>}
    </div>
  );
}

export function ComparePicker() {
  const { t } = useWords();
  const base = useApp((s) => s.choice.base ?? s.diff?.base ?? null);
  const here = useApp((s) => s.choice.session);
  const name = useApp((s) => (base && base.session !== here ? s.snapshot?.sessions.find((x) => x.id === base.session)?.name : ''));
  return (
    <Popover
      className="btn small"
      label={t('compare')}
      align="end"
      width={280}
      testid="compare"
      button={
        <>
          {t('compare')} <span className="t1">{base ? `${name ? `${visible(name)} ` : ''}#${base.n}` : t('compare.none')}</span>
          <Glyph name="chevron" />
        </>
      }
    >
      {(close) => <Picker close={close} />}
    </Popover>
  );
}
