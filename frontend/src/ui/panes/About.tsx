import type { ForeignView, HeaderLine, InferenceView, RequestView } from '../../api/types.gen';
import { proofWord } from '../../model/foreign';
import { partName } from '../../model/record';
import { isViolation } from '../../model/verdict';
import { visible } from '../../model/visible';
import { copy, setTab } from '../../state/actions';
import { FactRow } from '../drawer/Evidence';
import { Glyph } from '../Glyph';
import { HashChip, Path, Told } from '../parts';
import { useWords, type Words } from '../words';

function Inference({ one }: { one: InferenceView }) {
  const { t, f, say } = useWords();
  return (
    <li className="inference" data-testid={`inference-${one.cause}`}>
      <strong><Glyph name="changed" className="warn" />{say(`cause.${one.cause}`, one.cause)}</strong>
      <Told className="t2" text={one.evidence} words={one.words} />
      {one.path !== '' && (
        <span className="t3 s11">
          <button type="button" className="link mono json-path" title={t('copy.path')} onClick={() => void copy(one.path, t('copied.path'))}><Path path={one.path} /></button> {t('inference.byte', { n: f.count(one.bodyOffset) })}
        </span>
      )}
    </li>
  );
}

function Headers({ title, list }: { title: string; list: readonly HeaderLine[] }) {
  if (list.length === 0) return null;
  return (
    <details>
      <summary>{title} <span className="t3">{list.length}</span></summary>
      <dl className="headers">
        {list.map((h, i) => <FactRow key={`${h.name}${i}`} name={visible(h.name)} value={visible(h.value)} />)}
      </dl>
    </details>
  );
}

/** Where it comes from: a word, or a file's name with what it was taken for. */
function source(text: string, { say, tell }: Words): string {
  const file = /^(.*) \(([^()]*)\)$/.exec(text);
  return file ? `${visible(file[1])} (${tell(file[2])})` : say(`about.source.${text}`, visible(text));
}

function Facts({ view, about }: { view: RequestView; about: ForeignView }) {
  const w = useWords();
  const { t, f, say } = w;
  const proof = proofWord(view);
  return (
    <dl className="facts about-facts">
      <FactRow name={t('about.source')} value={source(about.source, w)} />
      <FactRow name={t('about.dialect')} value={say(`dialect.${about.dialect}`, about.dialect)} />
      {about.url !== '' && <FactRow name={t('about.address')} value={<span className="mono">{visible(`${about.method} ${about.url}`)}</span>} />}
      <FactRow name={t('about.status')} value={about.http > 0 ? String(about.http) : t(about.source === 'proxy' ? 'row.noanswer' : 'about.unrecorded')} />
      {about.firstByte > 0 && <FactRow name={t('about.firstbyte')} value={f.millis(about.firstByte)} />}
      {about.model !== '' && <FactRow name={t('about.model')} value={visible(about.model)} />}
      {view.row.thread !== '' && <FactRow name={t('about.thread')} value={visible(view.row.thread)} />}
      {view.row.base > 0 && <FactRow name={t('about.follows')} value={t('about.follows.how', { at: view.row.base, how: about.how === '' ? t(about.told ? 'about.told' : 'unknown') : say(`how.${about.how}`, about.how) })} />}
      {about.conversation !== '' && <FactRow name={t('about.conversation')} value={<span className="mono">{visible(about.conversation)}</span>} />}
      <FactRow name={t('tab.proof')} value={<span title={t(`proof.${proof}.why`)}>{t(`proof.${proof}`)}</span>} />
    </dl>
  );
}

/** What is known of another agent's request beside its text: what its bytes show, what its source says of itself. */
export function About({ view }: { view: RequestView }) {
  const { t } = useWords();
  const about = view.foreign;
  if (!about) return null;
  return (
    <div className="about-request" data-testid="about">
      {view.row.kind !== 'other' && (
        <section>
          <h3>{t('inference')}</h3>
          <p className="t3 s11">{t(about.told ? 'inference.told' : 'inference.why')}</p>
          {about.inferred.length > 0 ? <ul>{about.inferred.map((one, i) => <Inference key={i} one={one} />)}</ul> : <p className="t2">{t(view.row.base === 0 ? 'inference.first' : isViolation(view.row) ? 'inference.unknown' : 'inference.none')}</p>}
        </section>
      )}
      {about.claimed.length > 0 && (
        <section>
          <h3>{t('claimed.parts')}</h3>
          <p className="t3 s11">{t('claimed.part.why')}</p>
          <ul>
            {about.claimed.map((c) => <li key={`${c.kind}${c.index}`} className="claimed-part"><span className="mono">{partName(c.kind, c.index)}</span><HashChip hash={c.leaf} look="claimed" /></li>)}
          </ul>
          <button type="button" className="link s11" onClick={() => setTab('proof')}>{t('evidence.proof')}</button>
        </section>
      )}
      {about.notes.length > 0 && (
        <section>
          <h3>{t('about.notes')}</h3>
          <ul>{about.notes.map((n) => <li key={n} className="t2"><Told text={n} /></li>)}</ul>
        </section>
      )}
      <section>
        <h3>{t('about.facts')}</h3>
        <Facts view={view} about={about} />
        <Headers title={t('about.requestheaders')} list={about.requestHeaders} />
        <Headers title={t('about.responseheaders')} list={about.responseHeaders} />
      </section>
    </div>
  );
}

/** What passed by and is no request that is understood. */
export function OtherSheet({ view }: { view: RequestView }) {
  const { t } = useWords();
  return (
    <div className="other-sheet" tabIndex={0} data-focus data-region="panes" data-testid="other">
      <h2><span className="mono">{visible(`${view.row.method} ${view.row.path}`)}</span> <span className="t3">{view.row.http > 0 ? view.row.http : t('row.noanswer')}</span></h2>
      <p className="t2">{t('other.why')}</p>
      <p>
        <button type="button" className="btn small line" onClick={() => setTab('raw')}>{t('tab.raw')}</button>{' '}
        <button type="button" className="btn small line" onClick={() => setTab('response')}>{t('tab.response')}</button>
      </p>
      <About view={view} />
    </div>
  );
}
