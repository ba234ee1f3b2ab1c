import { useMemo } from 'react';
import type { Timeline } from '../api/types.gen';
import { bandOf, sparkShape, stepAt, steps, type Step } from '../model/sparkline';
import { choose } from '../state/actions';
import { useApp } from '../state/store';
import { useWords } from './words';

const WIDTH = 336;
const HEIGHT = 40;

/** The step that holds the chosen request: all that changes in the drawing with a choice. */
function Band({ list }: { list: readonly Step[] }) {
  const selected = useApp((s) => s.choice.n);
  const band = bandOf(list, selected, WIDTH);
  return band && <rect className="band" x={band.x} y="0" width={band.width} height={HEIGHT} />;
}

export function ReuseLine({ timeline }: { timeline: Timeline }) {
  const { t, f } = useWords();
  const list = useMemo(() => steps(timeline.rows), [timeline]);
  const shape = useMemo(() => sparkShape(list, WIDTH, HEIGHT), [list]);
  const fig = timeline.figures;
  const predicted = f.share(fig.predictedReuse, fig.predictedTotal);
  const reported = f.share(fig.reportedReuse, fig.reportedTotal);
  return (
    <div className="reuse">
      <div className="legend">
        <span>{t('reuse')}</span>
        <span className="grow" />
        <span>
          <svg width="12" height="8" aria-hidden="true"><path d="M0 4h12" stroke="var(--t3)" strokeWidth="1.5" /></svg>
          {t('predicted')} <b>{predicted === '' ? '–' : `${fig.predictedExact ? '' : '≈ '}${predicted}`}</b>
        </span>
        <span>
          <svg width="8" height="8" aria-hidden="true"><circle cx="4" cy="4" r="2.5" fill="var(--accent-mark)" /></svg>
          {reported === '' ? <b>{t('notreported')}</b> : <>{t('reported')} <b>{reported}</b></>}
        </span>
      </div>
      <svg
        className="spark"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('reuse.label', { predicted: predicted || '–', reported: reported || t('notreported') })}
        onClick={(e) => {
          const box = e.currentTarget.getBoundingClientRect();
          const step = stepAt(list, e.clientX - box.left, box.width);
          if (step) choose(step.to);
        }}
      >
        <Band list={list} />
        <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} stroke="var(--line-2)" />
        <path d={`M0 4H${WIDTH}`} stroke="var(--line)" strokeDasharray="2 3" />
        <path d={shape.line} stroke="var(--t3)" strokeWidth="1.25" />
        {shape.breaks.map((b) => (
          <path key={b.path} d={b.path} stroke={b.tone === 'bad' ? 'var(--bad)' : 'var(--warn-mark)'} strokeWidth="2.5" />
        ))}
        <g strokeLinecap="round">
          {shape.dots.map((d) =>
            d.silent ? (
              <g key={d.x}>
                <path d={`M${d.x} ${d.y}h.01`} stroke="var(--line-3)" strokeWidth="6" />
                <path d={`M${d.x} ${d.y}h.01`} stroke="var(--bg-rail)" strokeWidth="3" />
              </g>
            ) : (
              <path key={d.x} d={`M${d.x} ${d.y}h.01`} stroke="var(--accent-mark)" strokeWidth="4" />
            ),
          )}
        </g>
      </svg>
    </div>
  );
}
