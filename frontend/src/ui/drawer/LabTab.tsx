import { FlaskConical, Square } from 'lucide-react';
import { useState } from 'react';
import type { LabPrices, LabState } from '../../api/types.gen';
import { csv } from '../../model/lab';
import { copy, startLab, stopLab } from '../../state/actions';
import { useApp } from '../../state/store';
import { Popover } from '../Popover';
import { Told } from '../parts';
import { useWords } from '../words';
import { LabPictures } from './LabPictures';
import { LabPriceForm } from './LabPriceForm';
import { LabTable } from './LabTable';

function Progress({ lab }: { lab: LabState }) {
  const { t, say } = useWords();
  const share = lab.of > 0 ? Math.floor((lab.done / lab.of) * 100) : 0;
  return (
    <div className="lab-progress" role="status">
      <span>{say(`lab.stage.${lab.stage}`, t('lab.stage.read'))}</span>
      <span className={lab.of > 0 ? 'progress' : 'progress open'} role="progressbar" aria-valuemin={0} aria-valuemax={100} aria-valuenow={share} aria-label={t('tab.lab')}><i style={{ width: `${lab.of > 0 ? share : 100}%` }} /></span>
      <button type="button" className="btn small line" data-testid="lab-stop" onClick={() => void stopLab()}><Square className="icon" />{t('cancel')}</button>
    </div>
  );
}

function Head({ lab, prices, onPrices, idle, onIdle }: { lab: LabState; prices: LabPrices; onPrices: (p: LabPrices) => void; idle: number; onIdle: (s: number) => void }) {
  const { t } = useWords();
  const session = useApp((s) => s.snapshot?.current ?? '');
  const r = lab.result;
  const go = () => void startLab({ session, idle, prices });
  return (
    <div className="lab-head">
      <h3>{t('lab.title')}</h3>
      {r && <span className="t3 cut">{t('lab.size', { strategies: r.strategies.length, classes: r.classes.length, n: r.rows.length })}</span>}
      <span className="grow" />
      <Popover className="btn small line" label={t('lab.prices')} align="end" width={460} testid="lab-prices" button={t('lab.prices')}>
        {(close) => <LabPriceForm prices={prices} builtIn={lab.builtIn} idle={idle} onDone={(p, s) => { onPrices(p); onIdle(s); close(); void startLab({ session, idle: s, prices: p }); }} />}
      </Popover>
      {r && <button type="button" className="btn small line" onClick={() => void copy(csv(r, lab.prices.currency), t('copied.csv'))}>{t('lab.csv')}</button>}
      {!lab.running && <button type="button" className={r ? 'btn small line' : 'btn small solid'} data-testid="lab-run" data-focus onClick={go}><FlaskConical className="icon" />{t(r ? 'lab.again' : 'lab.run')}</button>}
    </div>
  );
}

/** What caches of every kind would make of the session, as it was sent and built another way. */
export function LabTab() {
  const { t } = useWords();
  const all = useApp((s) => s.lab);
  const session = useApp((s) => s.snapshot?.current ?? '');
  const [prices, setPrices] = useState<LabPrices | null>(null);
  const [idle, setIdle] = useState<number | null>(null);
  const [chosen, setChosen] = useState('');
  if (!all) return <p className="empty">{t('request.loading')}</p>;
  const lab = all.session === session ? all : { ...all, running: false, result: null, error: '' };
  const r = lab.result;
  const column = r && r.classes.includes(chosen) ? chosen : (r?.own || r?.classes[0] || '');
  return (
    <div className="lab" data-testid="lab">
      <Head lab={lab} prices={prices ?? lab.prices} onPrices={setPrices} idle={idle ?? lab.idle} onIdle={setIdle} />
      {lab.running && <Progress lab={lab} />}
      {lab.error !== '' && <p className="empty bad" role="alert"><Told text={lab.error} /></p>}
      {lab.unkept !== '' && <p className="note warn" role="status"><Told text={lab.unkept} /></p>}
      {!r && !lab.running && lab.error === '' && <p className="empty">{t('lab.what')}</p>}
      {r && (
        <div className="lab-body" tabIndex={0}>
          <LabTable result={r} prices={lab.prices} chosen={column} onChoose={setChosen} />
          <LabPictures result={r} prices={lab.prices} chosen={column} />
          <p className="t3">{t('lab.foot')}</p>
        </div>
      )}
    </div>
  );
}
