import { ChevronDown, ChevronUp, Maximize2, Minimize2 } from 'lucide-react';
import { setDrawer, setTab } from '../../state/actions';
import { TABS, useApp, type Tab } from '../../state/store';
import { Splitter } from '../Splitter';
import { useWords } from '../words';
import { ComparePicker } from './ComparePicker';
import { DiffTab } from './DiffTab';
import { EndToEndTab } from './EndToEndTab';
import { LabTab } from './LabTab';
import { McpTab } from './McpTab';
import { ProofTab } from './ProofTab';
import { RawTab, ResponseTab } from './RawTab';
import { RedlinesTab } from './RedlinesTab';

const BODY: Record<Tab, () => React.ReactNode> = {
  diff: DiffTab, raw: RawTab, response: ResponseTab, mcp: McpTab, proof: ProofTab, redlines: RedlinesTab, lab: LabTab, e2e: EndToEndTab,
};

function Tabs() {
  const { t } = useWords();
  const tab = useApp((s) => s.tab);
  const drawer = useApp((s) => s.drawer);
  const failing = useApp((s) => s.timeline?.redlines.filter((r) => r.ok === false).length ?? 0);
  const move = (by: number) => {
    const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length];
    setTab(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div
      role="tablist"
      aria-label={t('drawer')}
      onKeyDown={(e) => {
        if (e.key === 'ArrowRight') move(1);
        else if (e.key === 'ArrowLeft') move(-1);
        else return;
        e.preventDefault();
      }}
    >
      {TABS.map((name) => {
        const on = name === tab && drawer !== 'closed';
        return (
          <button key={name} id={`tab-${name}`} type="button" role="tab" aria-selected={on} aria-controls={on ? 'drawer-body' : undefined} tabIndex={name === tab ? 0 : -1} data-focus={name === tab || undefined} data-testid={`tab-${name}`} onClick={() => setTab(name)}>
            {t(`tab.${name}`)}
            {name === 'redlines' && failing > 0 && <span className="badge alarm">{failing}</span>}
          </button>
        );
      })}
    </div>
  );
}

export function Drawer() {
  const { t } = useWords();
  const tab = useApp((s) => s.tab);
  const drawer = useApp((s) => s.drawer);
  const Body = BODY[tab];
  const full = drawer === 'full';
  const closed = drawer === 'closed';
  return (
    <section className="drawer" data-testid="drawer" data-region="drawer" aria-label={t('drawer')}>
      {drawer === 'open' && <Splitter name="drawer" axis="y" grows={-1} label={t('split.drawer')} style={{ top: -4 }} />}
      <div className="tabs">
        <Tabs />
        <span className="end">
          {tab === 'diff' && <ComparePicker />}
          <button type="button" className="btn square small" title={t(full ? 'drawer.restore' : 'drawer.full')} aria-label={t(full ? 'drawer.restore' : 'drawer.full')} onClick={() => setDrawer(full ? 'open' : 'full')}>
            {full ? <Minimize2 className="icon" /> : <Maximize2 className="icon" />}
          </button>
          <button type="button" className="btn square small" title={t(closed ? 'drawer.open' : 'drawer.close')} aria-label={t(closed ? 'drawer.open' : 'drawer.close')} data-testid="drawer-toggle" onClick={() => setDrawer(closed ? 'open' : 'closed')}>
            {closed ? <ChevronUp className="icon" /> : <ChevronDown className="icon" />}
          </button>
        </span>
      </div>
      {!closed && (
        <div className="drawer-body" role="tabpanel" id="drawer-body" aria-labelledby={`tab-${tab}`}>
          <Body />
        </div>
      )}
    </section>
  );
}
