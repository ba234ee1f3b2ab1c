import type { DiffView, Redline, RequestRow } from '../../api/types.gen';
import { partName } from '../../model/record';
import { placeOf, type Place } from '../../model/redlines';
import { planOf } from '../../model/verdict';
import { copy, setTab } from '../../state/actions';
import { Glyph } from '../Glyph';
import { HashChip, Path } from '../parts';
import { useWords, type Words } from '../words';

function facts(redline: Redline, diff: DiffView, row: RequestRow, w: Words): { name: string; value: React.ReactNode; text: string }[] {
  const { t, f, tell } = w;
  const v = diff.verdict;
  const place = placeOf(redline, v);
  const rung = place && diff.rungs.find((r) => r.kind === place.kind && r.index === place.index);
  const out: { name: string; value: React.ReactNode; text: string }[] = [];
  const add = (name: string, text: string, value: React.ReactNode = text) => out.push({ name, value, text });
  if (v.historyLost > 0) add(t('evidence.lost'), f.bytes(v.historyLost));
  if (place) add(t('evidence.place'), place.path || partName(place.kind, place.index), <PlaceOf place={place} />);
  if (rung?.baseLink) add(t('evidence.before', { at: diff.base.n }), rung.baseLink, <HashChip hash={rung.baseLink} />);
  if (rung?.nextLink) add(t('evidence.now', { at: diff.next.n }), rung.nextLink, <HashChip hash={rung.nextLink} look="differs" />);
  add(t('evidence.announced'), t(v.planned === true ? 'yes' : v.planned === false || planOf(v.verdict, null) === 'unplanned' ? 'no' : 'evidence.unannounced'));
  if (row.predicted) add(t('predicted'), t('tokens.reused', { n: row.predicted.reused, of: row.predicted.total }));
  add(t('reported'), row.usage.cachedSaid ? t('tokens.cached', { n: row.usage.cached }) : t('notreported'));
  if (redline.detail !== '') add(t('evidence.detail'), tell(redline.detail, redline.words));
  return out;
}

/** A part of the body, by its path where one is known. */
export function PlaceOf({ place }: { place: Place }) {
  return <span className="mono json-path" data-testid="evidence-place">{place.path === '' ? partName(place.kind, place.index) : <Path path={place.path} />}</span>;
}

export function Evidence({ redline, others, diff, row, onChoose }: {
  redline: Redline;
  /** that fail as well */
  others: readonly Redline[];
  diff: DiffView;
  row: RequestRow;
  onChoose: (id: string) => void;
}) {
  const w = useWords();
  const { t, say } = w;
  const list = facts(redline, diff, row, w);
  const rule = say(`redline.${redline.id}`, redline.id);
  const text = [`${redline.id}: ${rule}`, ...list.map((x) => `${x.name}: ${x.text}`)].join('\n');
  return (
    <aside className="evidence" data-testid="evidence" aria-label={t('evidence')}>
      <h4 className="bad"><Glyph name="cross" />{t('redline.fails', { id: redline.id })}</h4>
      {others.length > 0 && (
        <p className="also">{t('evidence.also')} {others.map((r) => <button key={r.id} type="button" className="link" title={say(`redline.${r.id}`, r.id)} onClick={() => onChoose(r.id)}>{r.id}</button>)}</p>
      )}
      <p className="rule-text">{rule}</p>
      <dl className="facts">
        {list.map((x) => (
          <FactRow key={x.name} name={x.name} value={x.value} />
        ))}
      </dl>
      <div className="do">
        <button type="button" className="btn small line" onClick={() => void copy(text, t('copied.evidence'))}>{t('copy.evidence')}</button>
        <button type="button" className="btn small line" onClick={() => setTab('proof')}>{t('evidence.proof')}</button>
      </div>
    </aside>
  );
}

export function FactRow({ name, value }: { name: string; value: React.ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
