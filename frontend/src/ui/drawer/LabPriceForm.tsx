import { useState } from 'react';
import type { LabPrices } from '../../api/types.gen';
import { price } from '../../model/lab';
import { useWords } from '../words';

const FIELDS = ['uncached', 'read', 'written'] as const;

/** Prices of a million prompt tokens, and the time after which a cache forgets. */
const written = (prices: LabPrices) => prices.classes.map((c) => FIELDS.map((f) => String(c[f])));

export function LabPriceForm({ prices, builtIn, idle, onDone }: { prices: LabPrices; builtIn: LabPrices; idle: number; onDone: (p: LabPrices, idle: number) => void }) {
  const { t, say } = useWords();
  const [texts, setTexts] = useState(() => written(prices));
  const [minutes, setMinutes] = useState(idle > 0 ? String(idle / 60) : '');
  const wrong = texts.some((row) => row.some((x) => price(x) === null)) || (minutes.trim() !== '' && price(minutes) === null);
  const own = minutes.trim() !== '' || JSON.stringify(texts) !== JSON.stringify(written(builtIn));
  const reset = () => {
    setTexts(written(builtIn));
    setMinutes('');
  };
  const done = () => {
    if (wrong) return;
    const classes = builtIn.classes.map((c, i) => ({ class: c.class, uncached: price(texts[i][0]) ?? 0, read: price(texts[i][1]) ?? 0, written: price(texts[i][2]) ?? 0 }));
    onDone({ currency: builtIn.currency, classes }, Math.round((price(minutes) ?? 0) * 60));
  };
  return (
    <form className="price-form" onSubmit={(e) => { e.preventDefault(); done(); }}>
      <p className="t3 s11">{t('lab.prices.why', { currency: prices.currency })} {t('lab.prices.kept')}</p>
      <table>
        <thead><tr><th>{t('lab.class')}</th>{FIELDS.map((f) => <th key={f}>{t(`lab.price.${f}`)}</th>)}</tr></thead>
        <tbody>
          {prices.classes.map((c, i) => (
            <tr key={c.class}>
              <th scope="row">{say(`class.${c.class}`, c.class)}</th>
              {FIELDS.map((f, k) => (
                <td key={f}>
                  <input className="field num" inputMode="decimal" value={texts[i][k]} aria-invalid={price(texts[i][k]) === null} aria-label={`${say(`class.${c.class}`, c.class)}: ${t(`lab.price.${f}`)}`} onChange={(e) => setTexts(texts.map((row, r) => (r === i ? row.map((x, n) => (n === k ? e.target.value : x)) : row)))} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="form-row">
        <label htmlFor="lab-idle">{t('lab.idle')}</label>
        <input id="lab-idle" className="field" inputMode="decimal" value={minutes} placeholder={t('lab.idle.own')} onChange={(e) => setMinutes(e.target.value)} />
      </div>
      {wrong && <p className="bad s11" role="alert">{t('lab.prices.wrong')}</p>}
      <div className="do">
        <button type="submit" className="btn small solid" disabled={wrong} data-testid="lab-apply">{t('lab.apply')}</button>
        <button type="button" className="btn small line" disabled={!own} data-testid="lab-reset" onClick={reset}>{t('lab.reset')}</button>
      </div>
    </form>
  );
}
