import { useEffect, useMemo, useState } from 'react';
import type { Pair, RequestRow, SessionInfo, SessionsDiff, SideFigures } from '../../api/types.gen';
import { barWidth } from '../../model/bars';
import { partName } from '../../model/record';
import { visible } from '../../model/visible';
import { compareAcross, service, setBaseline, show } from '../../state/actions';
import { useApp } from '../../state/store';
import { message } from '../../state/sync';
import { Dialog } from '../Dialog';
import { Glyph } from '../Glyph';
import { BodyBar, Path, Verdict } from '../parts';
import { useWords } from '../words';

/** Lines drawn at once; a longer comparison opens by this many more. */
const BATCH = 300;

function Side({ row, largest }: { row: RequestRow | null; largest: number }) {
  const { t, f } = useWords();
  if (!row) return <td colSpan={4} className="t3 absent">{t('sides.absent')}</td>;
  const u = row.usage;
  const reuse = u.cachedSaid ? f.share(u.cached, u.prompt) : row.predicted ? `≈ ${f.share(row.predicted.reused, row.predicted.total)}` : '';
  return (
    <>
      <td className="num">#{row.n}</td>
      <td><Verdict verdict={row.verdict} planned={row.planned} /></td>
      <td className="with-bar"><BodyBar row={row} width={barWidth(row.bytes, largest)} /><span className="t3 s11">{f.bytes(row.bytes)}</span></td>
      <td className="num" title={u.cachedSaid ? t('reported') : t('predicted')}>{reuse || '–'}</td>
    </>
  );
}

function Line({ pair, first, largest, onOpen }: { pair: Pair; first: boolean; largest: number; onOpen: (() => void) | undefined }) {
  const { t, say } = useWords();
  return (
    <tr className={`${pair.state}${first ? ' first' : ''}`} data-testid={first ? 'first-divergence' : undefined}>
      <Side row={pair.base} largest={largest} />
      <td className="mid">
        {onOpen ? <button type="button" className={pair.state === 'same' ? 'link t3' : 'link warn'} title={t('sides.open')} onClick={onOpen}><Glyph name={pair.state === 'same' ? 'equal' : 'rewritten'} />{say(`pair.${pair.state}`)}</button> : <span className="warn">{say(`pair.${pair.state}`)}</span>}
      </td>
      <Side row={pair.next} largest={largest} />
    </tr>
  );
}

function Sums({ side }: { side: SideFigures }) {
  const { t, f } = useWords();
  const g = side.figures;
  const words = [
    t('requests', { n: g.requests - g.others }), t('status.prefix', { n: g.prefixEqual, of: g.pairs }), g.violations > 0 ? t('violations', { n: g.violations }) : '',
    `${t('predicted')} ${f.share(g.predictedReuse, g.predictedTotal) || '–'}`, g.reportedTotal > 0 ? `${t('reported')} ${f.share(g.reportedReuse, g.reportedTotal)}` : t('sides.notreported'),
  ].filter((x) => x !== '');
  return <span className="t2">{words.join(' · ')}</span>;
}

function Result({ diff }: { diff: SessionsDiff }) {
  const { t } = useWords();
  const [shown, setShown] = useState(BATCH);
  const largest = useMemo(() => Math.max(1, ...diff.pairs.flatMap((p) => [p.base?.bytes ?? 0, p.next?.bytes ?? 0])), [diff]);
  const first = diff.first >= 0 ? diff.pairs[diff.first] : undefined;
  const v = diff.where;
  const open = (p: Pair) => (p.base && p.next ? () => { show(null); void compareAcross({ session: diff.base.session, n: p.base?.n ?? 0 }, { session: diff.next.session, n: p.next?.n ?? 0 }); } : undefined);
  return (
    <>
      <div className="sums">
        <Sums side={diff.base} />
        <Sums side={diff.next} />
      </div>
      <p className={first ? 'warn with' : 'ok with'} role="status">
        <Glyph name={first ? 'rewritten' : 'equal'} />
        {first ? t('sides.first', { same: diff.same, turn: first.turn }) : t('sides.same', { n: diff.same })}
        {v.partKind !== '' && <span className="mono t2">{v.path === '' ? partName(v.partKind, v.partIndex) : <Path path={v.path} />}</span>}
      </p>
      <div className="sides" tabIndex={0}>
        <table>
          <thead><tr><th className="num">#</th><th>{t('sides.verdict')}</th><th>{t('proof.bytes')}</th><th className="num">{t('reuse')}</th><th /><th className="num">#</th><th>{t('sides.verdict')}</th><th>{t('proof.bytes')}</th><th className="num">{t('reuse')}</th></tr></thead>
          <tbody>{diff.pairs.slice(0, shown).map((p, i) => <Line key={i} pair={p} first={i === diff.first} largest={largest} onOpen={open(p)} />)}</tbody>
        </table>
        {shown < diff.pairs.length && <div className="show-more"><button type="button" className="link" onClick={() => setShown(shown + BATCH)}>{t('show.more', { n: diff.pairs.length - shown })}</button></div>}
      </div>
    </>
  );
}

/** The baseline first, then the newest. */
function preferred(sessions: readonly SessionInfo[], not: string): string {
  const others = sessions.filter((s) => s.id !== not && s.requests > 0);
  return (others.find((s) => s.baseline !== '') ?? others[0])?.id ?? '';
}

/** Two whole sessions side by side. */
export function CompareSessions({ id }: { id: string }) {
  const { t } = useWords();
  const sessions = useApp((s) => s.snapshot?.sessions) ?? [];
  const [base, setBase] = useState(() => preferred(sessions, id));
  const [diff, setDiff] = useState<SessionsDiff | null>(null);
  const [failed, setFailed] = useState('');
  useEffect(() => {
    let current = true;
    setDiff(null);
    setFailed('');
    if (base !== '') service().compareSessions(base, id).then((d) => current && setDiff(d), (e: unknown) => current && setFailed(message(e)));
    return () => {
      current = false;
    };
  }, [base, id]);
  const name = (s: SessionInfo) => `${visible(s.name) || s.id}${s.baseline === '' ? '' : ` (${t('baseline.named', { name: s.baseline })})`}`;
  const next = sessions.find((s) => s.id === id);
  return (
    <Dialog title={t('sides.title')} width="max(1120px, 56vw)" className="compare-sessions">
      <div className="content padded">
        <div className="sums">
          <select className="field" value={base} data-autofocus aria-label={t('sides.base')} data-testid="compare-base" onChange={(e) => setBase(e.target.value)}>
            {base === '' && <option value="">{t('sides.choose')}</option>}
            {sessions.filter((s) => s.id !== id).map((s) => <option key={s.id} value={s.id}>{name(s)}</option>)}
          </select>
          <strong className="cut">{next ? name(next) : id}</strong>
        </div>
        {base === '' && <p className="t2">{t('sides.none')}</p>}
        {failed !== '' && <p className="bad" role="alert">{failed}</p>}
        {base !== '' && !diff && failed === '' && <p className="t3" role="status">{t('sides.reading')}</p>}
        {diff && <Result key={`${base}/${id}`} diff={diff} />}
      </div>
    </Dialog>
  );
}

/** Names a session that later ones are compared with. */
export function BaselineDialog({ id }: { id: string }) {
  const { t } = useWords();
  const session = useApp((s) => s.snapshot?.sessions.find((x) => x.id === id));
  const [name, setName] = useState(session?.baseline ?? '');
  if (!session) return null;
  const save = (to: string) => {
    show(null);
    void setBaseline(id, to);
  };
  return (
    <Dialog
      title={t('baseline')}
      width={440}
      footer={
        <>
          <button type="button" className="btn" onClick={() => show(null)}>{t('cancel')}</button>
          {session.baseline !== '' && <button type="button" className="btn line" onClick={() => save('')}>{t('baseline.remove')}</button>}
          <button type="button" className="btn solid" data-testid="baseline-save" disabled={name.trim() === ''} onClick={() => save(name.trim())}>{t('baseline.set')}</button>
        </>
      }
    >
      <form className="content padded" onSubmit={(e) => { e.preventDefault(); if (name.trim() !== '') save(name.trim()); }}>
        <p className="t2">{t('baseline.what', { name: session.name || id })}</p>
        <input data-autofocus className="field" value={name} aria-label={t('baseline.name')} placeholder={t('baseline.name')} maxLength={80} onChange={(e) => setName(e.target.value)} />
      </form>
    </Dialog>
  );
}
