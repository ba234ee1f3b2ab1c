import { useMemo } from 'react';
import type { LabPrices, LabResult } from '../../api/types.gen';
import { bucketed, cellAt, chartOf } from '../../model/lab';
import { choose } from '../../state/actions';
import { useWords } from '../words';

const WIDTH = 640;
const HEIGHT = 120;
/** Steps drawn at most: beyond that one stands for several requests. */
const STEPS = 320;
/** Marked requests that are listed; the chart shows all. */
const LISTED = 12;

function Chart({ result, chosen }: { result: LabResult; chosen: string }) {
  const { t, f, say } = useWords();
  const index = result.classes.indexOf(chosen);
  const rows = useMemo(() => bucketed(result.rows, STEPS), [result]);
  const shape = useMemo(() => chartOf(rows, index, WIDTH, HEIGHT), [rows, index]);
  const rep = result.reported;
  const marked = result.rows.filter((r) => r.marked);
  const cell = cellAt(result, result.strategies[0], chosen);
  const predicted = cell && cell.prompt > 0 ? f.share(cell.reused, cell.prompt) : '–';
  const reported = rep.requests > 0 ? f.share(rep.reused, rep.prompt) : t('notreported');
  return (
    <figure className="lab-chart">
      <figcaption>
        <strong>{t('lab.chart')}</strong>
        <span className="t3">{say(`class.${chosen}`, chosen)}</span>
        <span className="grow" />
        <span className="t3"><svg width="12" height="8" aria-hidden="true"><path d="M0 4h12" stroke="var(--t3)" strokeWidth="1.5" /></svg> {t('predicted')} <b>{predicted}</b></span>
        <span className="t3"><svg width="8" height="8" aria-hidden="true"><circle cx="4" cy="4" r="2.5" fill="var(--accent-mark)" /></svg> {t('reported')} <b>{reported}</b></span>
        {shape.gaps.length > 0 && <span className="t3"><i className="key gap" /> {t('reuse.elsewhere')} <b>{f.count(result.elsewhere)}</b></span>}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={t('lab.chart.label', { predicted, reported, marked: marked.length })}>
        <path className="grid" d={`M0 .5H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT - 0.5}H${WIDTH}`} />
        {shape.gaps.map((g) => <rect key={g.n} className="gap" x={g.x} y="0" width={g.width} height={HEIGHT} />)}
        <path className="line" d={shape.line} />
        <g strokeLinecap="round">
          {shape.silent.map((s) => <path key={s.n} d={`M${s.x} ${HEIGHT - 3}h.01`} stroke="var(--line-3)" strokeWidth="4" />)}
          {shape.dots.map((d) => <path key={d.n} d={`M${d.x} ${d.y}h.01`} stroke={d.marked ? 'var(--warn-mark)' : 'var(--accent-mark)'} strokeWidth={d.marked ? 8 : 5} />)}
        </g>
      </svg>
      <div className="axis t3 s11"><span>#{result.rows[0]?.n ?? 1}</span><span>#{result.rows[result.rows.length - 1]?.n ?? 1}</span></div>
      {marked.length > 0 && (
        <p className="t2">{t('lab.marked', { n: marked.length })} {marked.slice(0, LISTED).map((r) => <button key={r.n} type="button" className="link" title={t('lab.marked.of', { reported: r.reported, predicted: r.reuse[result.classes.indexOf(result.own)] ?? 0 })} onClick={() => choose(r.n)}>#{r.n}</button>)}{marked.length > LISTED && <span className="t3">{t('lab.marked.more', { n: marked.length - LISTED })}</span>}</p>
      )}
      {result.elsewhere > 0 && <p className="t3" data-testid="lab-elsewhere">{t('lab.elsewhere', { n: result.elsewhere })}</p>}
      {result.untimed > 0 && <p className="t3">{t('lab.untimed', { n: result.untimed })}</p>}
    </figure>
  );
}

function Money({ result, prices, chosen }: { result: LabResult; prices: LabPrices; chosen: string }) {
  const { t, f, say } = useWords();
  const cells = result.strategies.map((s) => cellAt(result, s, chosen)).filter((c) => c !== undefined);
  const p = prices.classes.find((x) => x.class === chosen);
  const parts = cells.map((c) => ({ cell: c, read: p ? c.reused * p.read : c.reused, written: p ? c.written * p.written : c.written, full: (p ? p.uncached : 1) * (c.prompt - c.reused - c.written) }));
  const largest = Math.max(1e-9, ...parts.map((x) => x.read + x.written + x.full));
  return (
    <figure className="lab-money">
      <figcaption>
        <strong>{t(p ? 'lab.money' : 'lab.bytokens')}</strong>
        <span className="grow" />
        <span className="legend">
          <span className="t3"><i className="key k-prefix" /> {t('lab.read')}</span>
          <span className="t3"><i className="key k-equal" /> {t('lab.written')}</span>
          <span className="t3"><i className="key hollow" /> {t('lab.full')}</span>
        </span>
      </figcaption>
      {parts.map((x) => (
        <div key={x.cell.strategy} className="money-row">
          <span className="cut">{say(`strategy.${x.cell.strategy}`, x.cell.strategy)}</span>
          <span className="money-bar" style={{ width: `${((x.read + x.written + x.full) / largest) * 100}%` }} aria-hidden="true">
            {x.read > 0 && <i className="k-prefix" style={{ flexGrow: x.read }} />}
            {x.written > 0 && <i className="k-equal" style={{ flexGrow: x.written }} />}
            {x.full > 0 && <i className="k-tail" style={{ flexGrow: x.full }} />}
          </span>
          <span className="t2">{x.cell.estimated ? '≈ ' : ''}{x.cell.prompt === 0 ? '–' : x.cell.priced ? f.money(x.cell.cost, prices.currency) : f.count(x.cell.prompt)}</span>
        </div>
      ))}
    </figure>
  );
}

/** Two pictures of the chosen class: each request predicted and reported, and what each strategy pays for. */
export function LabPictures({ result, prices, chosen }: { result: LabResult; prices: LabPrices; chosen: string }) {
  return (
    <div className="lab-pictures">
      <Chart result={result} chosen={chosen} />
      <Money result={result} prices={prices} chosen={chosen} />
    </div>
  );
}
