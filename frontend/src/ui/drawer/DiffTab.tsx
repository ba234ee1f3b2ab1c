import { useEffect, useState } from 'react';
import { foremost } from '../../model/redlines';
import { violates } from '../../model/verdict';
import { useApp } from '../../state/store';
import { Splitter } from '../Splitter';
import { Told } from '../parts';
import { useWords } from '../words';
import { AroundBytes } from './AroundBytes';
import { Evidence } from './Evidence';
import { Hunks } from './Hunks';
import { Ladder } from './Ladder';
import { SentenceBar } from './SentenceBar';

export type Shown = 'decoded' | 'sent';

export function DiffTab() {
  const { t } = useWords();
  const diff = useApp((s) => s.diff);
  const view = useApp((s) => s.view);
  const error = useApp((s) => s.diffError);
  const session = useApp((s) => s.choice.session);
  const ladderWidth = useApp((s) => s.prefs.ladder);
  const [chosen, setChosen] = useState('');
  const [shown, setShown] = useState<Shown>('decoded');
  const jumped = useApp((s) => s.jump.seq);
  // differences are gone through in the decoded text
  useEffect(() => { if (jumped > 0) setShown('decoded'); }, [jumped]);
  const staged = view?.row.staged ?? false;
  if (error !== '') return <p className="empty" role="alert"><strong>{t('diff.failed')}</strong><Told text={error} /></p>;
  if (!diff || !view) return <p className="empty">{t(view?.row.kind === 'other' ? 'other.why' : view && view.row.base === 0 ? 'diff.first' : 'diff.loading')}</p>;
  const violation = violates(diff.verdict.verdict, diff.verdict.planned);
  const fails = view.redlines.filter((r) => r.ok === false);
  const failing = fails.find((r) => r.id === chosen) ?? foremost(fails, diff.verdict.verdict);
  return (
    <div className="diff">
      <SentenceBar verdict={diff.verdict} rungs={diff.rungs} staged={staged} shown={shown} onShown={setShown} />
      <div className={failing ? 'diff-columns with-evidence' : 'diff-columns'}>
        <Ladder rungs={diff.rungs} view={diff.next.n === view.row.n ? view : null} base={diff.base} next={diff.next} foreign={diff.base.session !== session} violation={violation} claimed={staged} />
        <div className="hunk-column">
          {shown === 'decoded' ? <Hunks pair={`${diff.base.session}/${diff.base.n}/${diff.next.session}/${diff.next.n}`} hunks={diff.hunks} cut={diff.cut} /> : <div className="hunks"><AroundBytes diff={diff} whole /></div>}
          {shown === 'decoded' && violation && diff.verdict.partKind !== '' && <AroundBytes diff={diff} />}
        </div>
        {failing && <Evidence redline={failing} others={fails.filter((r) => r !== failing)} diff={diff} row={view.row} onChoose={setChosen} />}
        {!failing && <Splitter name="ladder" axis="x" grows={1} label={t('split.ladder')} style={{ left: ladderWidth - 3 }} />}
      </div>
    </div>
  );
}
