import type { LabCell, LabPrices, LabResult } from '../../api/types.gen';
import { best, cellAt, columns, isLow, share, type Column } from '../../model/lab';
import { Glyph } from '../Glyph';
import { useWords } from '../words';

function Price({ column, currency }: { column: Column; currency: string }) {
  const { t, f } = useWords();
  const p = column.price;
  if (!p) return <span className="t3">{t('lab.noprice')}</span>;
  const words = t('lab.price', { input: f.money(p.uncached, currency), read: f.money(p.read, currency) });
  return <span className="t2">{p.written === p.uncached ? words : t('lab.price.write', { price: words, written: f.money(p.written, currency) })}</span>;
}

function Cell({ cell, first, chosen, currency }: { cell: LabCell | undefined; first: boolean; chosen: boolean; currency: string }) {
  const { t, f } = useWords();
  if (!cell) return <td />;
  if (cell.prompt === 0) return <td className={chosen ? 'chosen' : ''}><span className="t3" title={t('lab.elsewhere.cell')}>–<span className="reader-only">{t('reuse.elsewhere')}</span></span></td>;
  const about = cell.estimated ? '≈ ' : '';
  const spent = t('lab.tokens', { n: cell.prompt - cell.reused });
  const low = isLow(cell);
  return (
    <td className={chosen ? 'chosen' : ''}>
      <span className="figures">
        <span className={first ? 'best' : ''}>{cell.priced ? f.money(cell.cost, currency) : `${about}${spent}`}{first && <Glyph name="check" className="acc" />}{first && <span className="reader-only">{t('lab.best')}</span>}</span>
        <span className="t2">{about}{f.share(cell.reused, cell.prompt)}</span>
      </span>
      <span className="figures s11">
        <span className="t3">{cell.priced ? `${about}${spent}` : t('lab.notreused')}</span>
        {low && <span className="warn">{t('lab.low')}</span>}
      </span>
      <span className="gauge" aria-hidden="true"><i className={first ? 'k-new' : low ? 'k-planned' : 'k-equal'} style={{ width: `${share(cell) * 100}%` }} /></span>
    </td>
  );
}

/** Strategies under classes: money where a price is known, else tokens that no cache gave. */
export function LabTable({ result, prices, chosen, onChoose }: { result: LabResult; prices: LabPrices; chosen: string; onChoose: (name: string) => void }) {
  const { t, say } = useWords();
  const list = columns(result, prices);
  const winners = new Map(list.map((c) => [c.name, best(result, c.name)]));
  return (
    <div className="lab-table" tabIndex={0}>
      <table data-testid="lab-table">
        <thead>
          <tr>
            <th>{t('lab.strategy')}</th>
            {list.map((c) => (
              <th key={c.name} className={c.name === chosen ? 'chosen' : ''} aria-current={c.name === chosen || undefined}>
                <button type="button" aria-pressed={c.name === chosen} onClick={() => onChoose(c.name)}>
                  <strong>{c.estimated ? '≈ ' : ''}{say(`class.${c.name}`, c.name)}</strong>
                  <span className="t3">{say(`class.${c.name}.who`)}</span>
                  <Price column={c} currency={prices.currency} />
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {result.strategies.map((s) => (
            <tr key={s}>
              <th scope="row"><strong>{say(`strategy.${s}`, s)}</strong><span className="t3">{say(`strategy.${s}.why`)}</span></th>
              {list.map((c) => <Cell key={c.name} cell={cellAt(result, s, c.name)} first={winners.get(c.name) === s} chosen={c.name === chosen} currency={prices.currency} />)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
