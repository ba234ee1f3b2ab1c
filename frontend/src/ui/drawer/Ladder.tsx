import { useMemo } from 'react';
import type { RequestRef, RequestView, Rung } from '../../api/types.gen';
import { drawLadder, type RungDrawing } from '../../model/ladder';
import { refine } from '../../model/rungs';
import { partName } from '../../model/record';
import { visible } from '../../model/visible';
import { HashChip, type ChipLook } from '../parts';
import { useWords, type Words } from '../words';

/** Places of the two rails in the drawing, in its own units. */
const LEFT = 14;
const RIGHT = 58;
const MID = 12;

function Rails({ d }: { d: RungDrawing }) {
  const half = (x: number, state: string, upper: boolean) =>
    state === 'none' ? null : <path key={`${x}${upper}`} className={`rail-${state}`} d={upper ? `M${x} 0V${MID}` : `M${x} ${MID}V24`} />;
  const hollowEnd = d.nodes.right === 'hollow';
  return (
    <svg viewBox="0 0 72 24" aria-hidden="true">
      {half(LEFT, d.left.above, true)}
      {half(LEFT, d.left.below, false)}
      {half(RIGHT, d.right.above, true)}
      {half(RIGHT, hollowEnd ? 'none' : d.right.below, false)}
      <Join d={d} />
      <Node x={LEFT} look={d.nodes.left} />
      <Node x={RIGHT} look={d.nodes.right} />
    </svg>
  );
}

function Join({ d }: { d: RungDrawing }) {
  const across = `M${LEFT} ${MID}H${RIGHT}`;
  switch (d.join) {
    case 'fold':
    case 'fold-dotted':
      return <path className={d.join === 'fold' ? 'thin' : 'thin dotted'} d={`M${LEFT} 5H${RIGHT}M${LEFT} 9.67H${RIGHT}M${LEFT} 14.33H${RIGHT}M${LEFT} 19H${RIGHT}`} />;
    case 'fold-gone':
      return <path className="thin dotted" d={`M${LEFT} 5H30M${LEFT} 9.67H30M${LEFT} 14.33H30M${LEFT} 19H30`} />;
    case 'equal':
      return <path className="rail-solid" d={across} />;
    case 'dotted':
      return <path className="rail-dotted" d={across} />;
    case 'grew':
      return (
        <>
          <path className="rail-solid" d={`M${LEFT} ${MID}H36`} />
          <path className="rail-new" d={`M36 ${MID}H${RIGHT}`} />
        </>
      );
    case 'broken':
      return (
        <>
          <path className="cross" d={`M${LEFT} ${MID}H29M43 ${MID}H${RIGHT}`} />
          <path className="cross" d="m32.500 8.500 7 7m0-7-7 7" />
        </>
      );
    default:
      return null;
  }
}

function Node({ x, look }: { x: number; look: string }) {
  if (look === 'none') return null;
  if (look === 'hollow') return <rect className="node hollow" x={x - 3.5} y={8.5} width={7} height={7} rx={1} />;
  return <circle className={`node ${look}`} cx={x} cy={MID} r={3.5} />;
}

function chip(rung: Rung, side: 'base' | 'next', violation: boolean): ChipLook {
  if (side === 'next' && rung.claimed) return 'claimed';
  if (rung.state === 'changed') return violation ? 'differs' : side === 'next' ? 'fresh' : 'plain';
  if (side === 'next' && (rung.state === 'grew' || rung.state === 'new')) return 'fresh';
  return 'plain';
}

function noteOf(rung: Rung, { t, f }: Words): { text: string; tone: string } {
  if (rung.count > 1) {
    const last = rung.index + rung.count - 1;
    return { text: rung.kind === 'message' ? t('rung.to', { part: partName('message', last) }) : t('rung.to', { part: partName(rung.kind, last) }), tone: 't3' };
  }
  const sign = rung.delta > 0 ? `+${f.bytes(rung.delta)}` : rung.delta < 0 ? `−${f.bytes(-rung.delta)}` : '';
  switch (rung.state) {
    case 'equal': return { text: t('rung.equal'), tone: 't3' };
    case 'same-bytes': return { text: t('rung.same'), tone: 't3' };
    case 'grew': return { text: t('rung.grew', { bytes: f.bytes(rung.delta) }), tone: 'ok' };
    case 'changed': return { text: sign ? t('rung.changed', { bytes: sign }) : t('rung.changed.same'), tone: 'bad' };
    case 'new': return { text: t('rung.new', { bytes: f.bytes(rung.delta) }), tone: 't3' };
    case 'gone': return { text: t('rung.gone', { bytes: f.bytes(Math.abs(rung.delta)) }), tone: 'warn' };
    case 'request-only': return { text: t('requestonly'), tone: 't3' };
    case 'rest-changed': return { text: t('rung.rest.changed'), tone: 'warn' };
    default: return { text: t('parameters.beside'), tone: 't3' };
  }
}

function title(rung: Rung, { t, say }: Words): React.ReactNode {
  if (rung.kind === 'rest') return <span className="t2">{t('parameters')}</span>;
  if (rung.count > 1) return <b>{t(rung.state === 'equal' ? 'rung.fold' : rung.state === 'gone' ? 'rung.fold.gone' : rung.state === 'new' ? 'rung.fold.new' : 'rung.fold.same', { n: rung.count })}</b>;
  if (rung.kind === 'model') return <span className="mono">{t('model')}</span>;
  return (
    <>
      <span className="mono">{rung.kind === 'tool' ? rung.name || partName('tool', rung.index) : partName(rung.kind, rung.index)}</span>{' '}
      <span className="t3">{rung.kind === 'tool' ? '' : say(`rung.role.${rung.role}`, visible(rung.role))}</span>
    </>
  );
}

function RungRow({ d, violation }: { d: RungDrawing; violation: boolean }) {
  const words = useWords();
  const r = d.rung;
  const note = noteOf(r, words);
  const folded = r.count > 1;
  const none = <span className="left none">{folded || r.kind === 'rest' ? '' : words.t('none')}</span>;
  return (
    <div className={`rung${d.first ? ' difference' : ''}${d.first && violation ? ' violation' : ''}`} role="row" data-state={r.state} data-testid={d.first ? 'first-difference' : undefined}>
      <span className="part-name" role="cell">{title(r, words)}</span>
      {folded || r.baseLink === '' ? none : <span className="left" role="cell"><HashChip hash={r.baseLink} look={chip(r, 'base', violation)} /></span>}
      {d.beside ? <span className={r.state === 'rest-changed' ? 'warn beside' : 'ok beside'} role="cell">{r.state === 'rest-changed' ? '≠' : '='}</span> : <span role="cell"><Rails d={d} /></span>}
      {folded || r.nextLink === '' ? <span className="right-side none">{folded || r.kind === 'rest' ? '' : words.t('none')}</span> : <span className="right-side" role="cell"><HashChip hash={r.nextLink} look={chip(r, 'next', violation)} /></span>}
      <span className={`note ${note.tone}`} role="cell" title={note.text}>{note.text}</span>
    </div>
  );
}

/** The chain of both requests, link by link. */
export function Ladder({ rungs, view = null, base, next, foreign, violation, claimed }: {
  rungs: Rung[];
  /** the later request, where its parts are at hand */
  view?: RequestView | null;
  base: RequestRef;
  next: RequestRef;
  foreign: boolean;
  violation: boolean;
  claimed: boolean;
}) {
  const { t } = useWords();
  const list = useMemo(() => drawLadder(refine(rungs, view)), [rungs, view]);
  return (
    <div className={violation ? 'ladder' : 'ladder planned'} role="table" aria-label={t('ladder')} tabIndex={0} data-testid="ladder" data-focus>
      <div className="rung top" role="row">
        <span role="columnheader">{t('rung.part')}</span>
        <span className="left" role="columnheader">{foreign ? t('rung.link.other', { at: base.n }) : t('rung.link', { at: base.n })}</span>
        <span role="presentation" />
        <span className="right-side" role="columnheader">{t(claimed ? 'rung.claim' : 'rung.link', { at: next.n })}</span>
        <span className="note" role="presentation" />
      </div>
      {list.map((d) => <RungRow key={d.key} d={d} violation={violation} />)}
    </div>
  );
}
