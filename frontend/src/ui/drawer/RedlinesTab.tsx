import type { Redline, VerdictView } from '../../api/types.gen';
import { byId, placeOf, REDLINE_IDS, redlineState, type RedlineState } from '../../model/redlines';
import { choose, copy, setTab, showRedline } from '../../state/actions';
import { useApp } from '../../state/store';
import { Glyph, type GlyphName } from '../Glyph';
import { useWords } from '../words';
import { FactRow, PlaceOf } from './Evidence';

export const REDLINE_GLYPHS: Record<RedlineState, GlyphName> = { pass: 'check', fail: 'cross', degraded: 'half', skip: 'ring' };

function Line({ id, redline, selected }: { id: string; redline: Redline | undefined; selected: boolean }) {
  const { t, say } = useWords();
  const state = redlineState(redline);
  const tested = id === 'A10';
  return (
    <button type="button" role="option" aria-selected={selected} className={`redline ${state}`} data-testid={`redline-${id}`} onClick={() => showRedline(id)}>
      <Glyph name={tested ? 'check' : REDLINE_GLYPHS[state]} className={tested ? 't3' : undefined} />
      <b>{id}</b>
      <span className="says">{say(`redline.${id}`)}</span>
      <span className="state">{tested ? t('redline.tested') : redline?.degraded ? t('redline.degraded', { n: redline.degraded }) : t(`redline.${state}`)}</span>
    </button>
  );
}

function Detail({ id, session, here, n, verdict }: { id: string; session: Redline | undefined; here: Redline | undefined; n: number; verdict: VerdictView | undefined }) {
  const { t, say, told, tell } = useWords();
  const state = redlineState(session);
  const rule = say(`redline.${id}`);
  const place = state === 'fail' && session && verdict ? placeOf(session, verdict) : null;
  const measured = session && told(session.detail, session.words);
  const detail = measured?.text || (id === 'A10' ? t('redline.tested.why') : t(`redline.${state}.why`));
  return (
    <aside className="evidence" aria-label={t('evidence')}>
      <h4 className={state === 'fail' ? 'bad' : 't1'}>
        <Glyph name={REDLINE_GLYPHS[state]} />
        {state === 'fail' ? t('redline.fails', { id }) : id}
      </h4>
      <p className="rule-text">{rule}</p>
      <dl className="facts">
        <FactRow name={t('evidence.detail')} value={<span lang={measured?.lang}>{detail}</span>} />
        {session && session.request > 0 && (
          <FactRow name={t('redline.at')} value={<button type="button" className="link" onClick={() => { choose(session.request); setTab('diff'); }}>#{session.request}</button>} />
        )}
        {place && <FactRow name={t('evidence.place')} value={<PlaceOf place={place} />} />}
        {here && <FactRow name={t('redline.here', { at: n })} value={t(`redline.${redlineState(here)}`)} />}
        {here && here.detail !== '' && here.detail !== session?.detail && <FactRow name={t('redline.heredetail')} value={tell(here.detail, here.words)} />}
      </dl>
      <div className="do">
        <button type="button" className="btn small line" onClick={() => void copy(`${id}: ${rule}\n${detail}`, t('copied.evidence'))}>{t('copy.evidence')}</button>
        <button type="button" className="btn small line" onClick={() => setTab('proof')}>{t('evidence.proof')}</button>
      </div>
    </aside>
  );
}

export function RedlinesTab() {
  const { t } = useWords();
  const list = useApp((s) => s.timeline?.redlines) ?? [];
  const here = useApp((s) => s.view?.redlines) ?? [];
  const n = useApp((s) => s.choice.n);
  const verdict = useApp((s) => s.view?.verdict);
  const chosen = useApp((s) => s.redline);
  const id = chosen || list.find((r) => r.ok === false)?.id || 'A1';
  const move = (by: number) => {
    const at = REDLINE_IDS.findIndex((x) => x === id);
    showRedline(REDLINE_IDS[Math.max(0, Math.min(REDLINE_IDS.length - 1, at + by))]);
  };
  return (
    <div className="split">
      <div
        className="board"
        role="listbox"
        tabIndex={0}
        aria-label={t('tab.redlines')}
        data-testid="redlines"
        data-focus
        onKeyDown={(e) => {
          if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp') return;
          e.preventDefault();
          move(e.key === 'ArrowDown' ? 1 : -1);
        }}
      >
        {REDLINE_IDS.map((x) => <Line key={x} id={x} redline={byId(list, x)} selected={x === id} />)}
      </div>
      <Detail id={id} session={byId(list, id)} here={byId(here, id)} n={n} verdict={verdict} />
    </div>
  );
}
