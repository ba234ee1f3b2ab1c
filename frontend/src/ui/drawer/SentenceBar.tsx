import type { Rung, VerdictView } from '../../api/types.gen';
import { partName } from '../../model/record';
import { sentenceOf } from '../../model/sentence';
import { planOf, verdictLook } from '../../model/verdict';
import { visible } from '../../model/visible';
import { copy } from '../../state/actions';
import { Glyph } from '../Glyph';
import { Segmented } from '../parts';
import { useWords } from '../words';
import type { Shown } from './DiffTab';

/** First in the diff: kind of verdict, one sentence, the place, and what it cost. */
export function SentenceBar({ verdict, rungs, staged, shown, onShown }: {
  verdict: VerdictView;
  rungs: readonly Rung[];
  staged: boolean;
  shown: Shown;
  onShown: (s: Shown) => void;
}) {
  const { t, f, say, tell } = useWords();
  const look = verdictLook(verdict.verdict, verdict.planned);
  const { key, params } = sentenceOf(verdict, staged, rungs);
  const words = say(`sentence.${key}`).replace('{part}', params.part) || verdict.verdict;
  const more = [...verdict.causes.slice(1).map((c) => `${say(`verdict.${c.verdict}`, c.verdict)}: ${tell(c.detail, c.words)}`), ...verdict.notes.map((n, i) => tell(n, verdict.noteWords[i]))];
  const plan = planOf(verdict.verdict, verdict.planned);
  const bad = look.tone === 'bad';
  const located = verdict.partKind !== '';
  // the bytes part earlier than where the sentence stands
  const elsewhere = located && params.part !== '' && params.part !== partName(verdict.partKind, verdict.partIndex) && verdict.verdict !== 'extended';
  return (
    <div className={bad ? 'sentence violation' : 'sentence'} data-testid="sentence" role={bad ? 'alert' : 'status'}>
      <span title={staged ? undefined : t(`plan.why.${plan}`)} className={`verdict ${look.glyph} tone-${staged ? 'staged' : look.tone}`}>
        <Glyph name={staged ? 'staged' : look.glyph} />
        {t(staged ? 'claimed' : plan)}
      </span>
      <span className="words" title={words}>{words}</span>
      {more.length > 0 && <span className="tag" title={more.join('\n')}>{t('sentence.more', { n: more.length })}</span>}
      {located && (
        <>
          <span className="rule" />
          {elsewhere && <span className="t3 nowrap" data-testid="place-first">{t('place.first')}</span>}
          {verdict.path !== '' && <button type="button" className="path" title={t('copy.path')} onClick={() => void copy(verdict.path, t('copied.path'))}>{visible(verdict.path)}</button>}
          <span className="t2 part-place" title={t('place.body', { n: verdict.bodyOffset })}>{t('place.part', { n: verdict.partOffset })}</span>
          <span className="t2 body-place">{t('place.body', { n: verdict.bodyOffset })}</span>
        </>
      )}
      <span className="grow" />
      {!staged && verdict.verdict !== 'first' && <span className={bad && verdict.historyLost > 0 ? 'bad lost' : 't2 lost'}>{t('place.lost', { bytes: verdict.historyLost > 0 ? f.bytes(verdict.historyLost) : '0' })}</span>}
      <Segmented<Shown> value={shown} label={t('diff.shown')} onChange={onShown} options={[{ value: 'decoded', label: t('diff.decoded') }, { value: 'sent', label: t('diff.sent') }]} />
    </div>
  );
}
