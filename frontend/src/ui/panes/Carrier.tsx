import { PanelRightClose } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { CarrierView, RequestView } from '../../api/types.gen';
import { lineDiff } from '../../model/frame';
import { visible } from '../../model/visible';
import { forgetHand, setPrefs } from '../../state/actions';
import { useApp } from '../../state/store';
import { Segmented, Tall } from '../parts';
import { useWords } from '../words';
import { About } from './About';
import { ByHand } from './ByHand';
import { FrameCard } from './FrameCard';

type View = 'frame' | 'raw' | 'diff';

function BlockDiff({ carrier }: { carrier: CarrierView }) {
  const { t } = useWords();
  const list = useMemo(() => lineDiff(carrier.previous, carrier.block), [carrier]);
  if (carrier.previous === '') return <p className="empty">{t('carrier.noprevious')}</p>;
  if (list.every((l) => l.sign === ' ')) return <p className="empty">{t('carrier.same')}</p>;
  return (
    <div className="block">
      {list.map((l, i) => (
        <div key={i} className={l.sign === '+' ? 'dl plus' : l.sign === '-' ? 'dl minus' : 'dl'}>
          <i>{l.sign === ' ' ? '' : l.sign === '-' ? '−' : '+'}</i>
          <span>{visible(l.text)}</span>
        </div>
      ))}
    </div>
  );
}

function Body({ carrier, staged }: { carrier: CarrierView; staged: boolean }) {
  const { t, f } = useWords();
  const [view, setView] = useState<View>('frame');
  const moved = useApp((s) => s.hand?.result.frame ?? null);
  const before = /frameCursor: (.*)/.exec(carrier.previous)?.[1] ?? '';
  return (
    <div className="body" tabIndex={0} data-focus>
      <div className="carrier-tabs">
        <Segmented<View>
          value={view}
          label={t('carrier')}
          onChange={setView}
          options={[
            { value: 'frame', label: t('carrier.frame') },
            { value: 'raw', label: t('carrier.raw') },
            { value: 'diff', label: before ? t('carrier.diff', { cursor: before.slice(0, 12) }) : t('carrier.diff.none') },
          ]}
        />
        <span className="grow" />
        <span className="t3 s11 nowrap">{f.bytes(carrier.bytes)}</span>
      </div>
      <HandResult />
      <div className="carrier-body">
        {view === 'raw' ? <pre className="block">{visible(carrier.block + carrier.notices)}</pre> : view === 'diff' ? <BlockDiff carrier={carrier} /> : moved ? <FrameCard frame={moved} notices="" claimed /> : <FrameCard frame={carrier.frame} notices={carrier.notices} claimed={staged} />}
      </div>
    </div>
  );
}

/** What the last call by hand brought. It moved the slot, so the next request will carry it; nothing of it is history. */
function HandResult() {
  const { t, f, say } = useWords();
  const hand = useApp((s) => s.hand);
  const n = useApp((s) => s.choice.n);
  const anew = useApp((s) => (s.view?.row.staged ?? false) && s.view?.carrier.frame?.cursor === s.hand?.result.frame?.cursor);
  if (!hand) return null;
  const r = hand.result;
  return (
    <div className="hand-result" role="status" data-testid="hand-result">
      <span><span className="mono">{hand.tool}</span> <span className={r.state === 'ok' ? 'ok' : 'bad'}>{say(`call.${r.state}`, r.state)}</span> <span className="t3">{f.millis(r.millis)}</span></span>
      <p>{r.frame ? t(anew ? 'hand.restaged' : 'hand.moved', { title: r.frame.title, cursor: r.frame.cursor, at: n }) : visible(r.text) || t('hand.nothing')}</p>
      <button type="button" className="link" onClick={forgetHand}>{t(r.frame && n > 0 && !anew ? 'hand.back' : 'dismiss', { at: n })}</button>
    </div>
  );
}

/** The pane beside another agent's history: what is known of the request, and its block when it carries one. */
function Known({ view, folded }: { view: RequestView; folded: boolean }) {
  const { t } = useWords();
  const [shown, setShown] = useState<'about' | 'carrier'>('about');
  const c = view.carrier;
  if (folded) return <Folded title={t('about')} />;
  return (
    <section className="pane carrier" data-testid="pane-carrier" data-region="panes" aria-label={t('about')}>
      <div className="head">
        {c.present ? (
          <Segmented<'about' | 'carrier'> value={shown} label={t('about')} onChange={setShown} options={[{ value: 'about', label: t('about') }, { value: 'carrier', label: t('carrier') }]} />
        ) : <h2>{t('about')}</h2>}
        <span className="grow" />
        <button type="button" className="btn square small fold" title={t('fold')} aria-label={t('fold.carrier')} onClick={() => setPrefs({ carrierFolded: true })}><PanelRightClose className="icon" /></button>
      </div>
      {c.present && shown === 'carrier' ? <Body carrier={c} staged={false} /> : <div className="body" tabIndex={0} data-focus><About view={view} /></div>}
    </section>
  );
}

function Folded({ title }: { title: string }) {
  return (
    <section className="pane carrier folded" data-testid="pane-carrier" data-region="panes" aria-label={title}>
      <button type="button" className="rail" title={title} aria-label={title} onClick={() => setPrefs({ carrierFolded: false })}>
        <span><i className="key k-tail" /></span>
        <span className="tall"><Tall text={title} /></span>
        <span />
      </button>
    </section>
  );
}

export function Carrier({ view, folded }: { view: RequestView; folded: boolean }) {
  const { t } = useWords();
  const c = view.carrier;
  const moved = useApp((s) => s.hand?.result.frame ?? null);
  if (view.foreign) return <Known view={view} folded={folded} />;
  if (folded) return <Folded title={t('carrier')} />;
  return (
    <section className="pane carrier" data-testid="pane-carrier" data-region="panes" aria-label={t('carrier')}>
      <div className="head">
        <i className="key k-tail" />
        <h2>{t('carrier')}</h2>
        <span className="grow" />
        <button type="button" className="btn square small fold" title={t('fold')} aria-label={t('fold.carrier')} onClick={() => setPrefs({ carrierFolded: true })}><PanelRightClose className="icon" /></button>
        {c.present && <span className="t3 s11 optional" title={c.placement ? t(c.placement === 'attached' ? 'placement.attached' : c.placement === 'tool' ? 'placement.tool' : 'placement.own') : undefined}>messages[{c.index}]</span>}
        {c.present && <span className="tag" title={t('requestonly.why')}>{t('requestonly')}</span>}
      </div>
      {c.present ? <Body carrier={c} staged={view.row.staged} /> : (
        <div className="body">
          <HandResult />
          {moved ? <div className="carrier-body"><FrameCard frame={moved} notices="" claimed /></div> : <p className="empty">{t('carrier.none')}</p>}
        </div>
      )}
      <ByHand />
    </section>
  );
}
