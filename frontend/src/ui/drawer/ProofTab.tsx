import { useEffect, useState } from 'react';
import type { PartView, RequestView } from '../../api/types.gen';
import { proofWord } from '../../model/foreign';
import { BY_HAND, chain } from '../../model/proof';
import { partName } from '../../model/record';
import { visible } from '../../model/visible';
import { copy, service } from '../../state/actions';
import { moreHistory } from '../../state/history';
import { useApp } from '../../state/store';
import { Glyph } from '../Glyph';
import { HashChip } from '../parts';
import { useWords } from '../words';
import { FactRow } from './Evidence';

/** Links drawn at once; a longer chain opens by this many more. */
const BATCH = 400;

function PartRow({ part, imported }: { part: PartView; imported: boolean }) {
  const { t, f } = useWords();
  return (
    <tr>
      <td className="mono">{part.kind === 'tool' ? visible(part.name) : partName(part.kind, part.index)}</td>
      <td className="num">{f.count(part.offset)}</td>
      <td className="num">{f.count(part.bytes)}</td>
      <td><HashChip hash={part.leaf} /></td>
      <td><HashChip hash={part.link} look={part.claimed ? 'claimed' : 'plain'} /></td>
      <td className={part.claimed || imported ? 't3' : 'ok'}>{t(part.claimed ? 'claimed' : imported ? 'proof.imported' : 'observed')}</td>
    </tr>
  );
}

function useBodyHash(view: RequestView): string {
  const session = useApp((s) => s.choice.session);
  const [hash, setHash] = useState('');
  const n = view.row.n;
  const proof = view.row.proof;
  useEffect(() => {
    let current = true;
    setHash('');
    service().body({ session, n }, 0).then((p) => current && setHash(p.sha256), () => undefined);
    return () => {
      current = false;
    };
  }, [session, n, proof]);
  return hash;
}

export function ProofTab() {
  const { t, f, say } = useWords();
  const view = useApp((s) => s.view);
  if (!view) return <p className="empty">{t('request.loading')}</p>;
  return <Filled view={view} key={view.row.n} t={t} f={f} say={say} />;
}

function Filled({ view, t, f }: { view: RequestView } & Pick<ReturnType<typeof useWords>, 't' | 'f' | 'say'>) {
  const [shown, setShown] = useState(BATCH);
  const list = chain(view);
  const hash = useBodyHash(view);
  const { row } = view;
  const state = proofWord(view);
  return (
    <div className="proof" data-testid="proof">
      <div tabIndex={0} data-focus>
        <table className="links">
          <thead>
            <tr>
              <th>{t('rung.part')}</th>
              <th className="num">{t('proof.offset')}</th>
              <th className="num">{t('proof.bytes')}</th>
              <th>{t('proof.leaf')}</th>
              <th>{t('proof.link')}</th>
              <th>{t('proof.state')}</th>
            </tr>
          </thead>
          <tbody>
            {view.history.from > 0 && <tr><td colSpan={6} className="t3">{t('history.before', { n: view.history.from })} <button type="button" className="link" onClick={() => void moreHistory('before')}>{t('history.more')}</button></td></tr>}
            {list.slice(0, shown).map((p) => <PartRow key={`${p.kind}${p.index}`} part={p} imported={state === 'imported'} />)}
          </tbody>
        </table>
        {shown < list.length && <div className="show-more"><button type="button" className="link" onClick={() => setShown(shown + BATCH)}>{t('show.more', { n: list.length - shown })}</button></div>}
      </div>
      <div className="explain">
        <h4 className={state === 'broken' ? 'bad' : state === 'proved' ? 'ok' : 't1'}>
          <Glyph name={state === 'broken' ? 'cross' : state === 'proved' ? 'check' : state === 'imported' ? 'ring' : state === 'claimed' || state === 'partial' ? 'half' : 'pending'} /> {t(`proof.${state}`)}
        </h4>
        <p>{t(`proof.${state}.why`)}</p>
        {view.foreign && view.foreign.proofNote !== '' && <p className="t3" lang="en">{visible(view.foreign.proofNote)}</p>}
        <dl className="facts">
          <FactRow name={t('proof.body')} value={<HashChip hash={hash} />} />
          <FactRow name={t('proof.bytes')} value={f.bytes(row.bytes)} />
          <FactRow name={t('parameters')} value={<HashChip hash={view.rest.leaf} />} />
          <FactRow name={t('proof.attempts')} value={f.count(row.attempts)} />
        </dl>
        <h4>{t('proof.how')}</h4>
        <p>{t('proof.how.text')}</p>
        <pre tabIndex={0}>{'leaf(kind, b) = SHA-256(kind ‖ 0x00 ‖ b)\nlink[0]   = SHA-256("zimoscope-chain/1" ‖ 0x00 ‖ leaf("model", model))\nlink[i+1] = SHA-256(link[i] ‖ leaf[i])'}</pre>
        <p>
          <button type="button" className="btn small line" onClick={() => void copy(BY_HAND, t('copied.script'))}>{t('proof.script')}</button>
        </p>
        <p className="t3">{t('proof.cli')}</p>
      </div>
    </div>
  );
}
