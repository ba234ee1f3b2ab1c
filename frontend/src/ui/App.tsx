import { FileInput } from 'lucide-react';
import { useEffect } from 'react';
import { set, useApp } from '../state/store';
import { Banners } from './Banners';
import { Drawer } from './drawer/Drawer';
import { useDroppedFiles } from './files';
import { FirstRun } from './FirstRun';
import { useKeyboard } from './keyboard';
import { Overlays } from './overlay/Overlays';
import { Composer } from './panes/Composer';
import { Panes } from './panes/Panes';
import { RequestHead } from './RequestHead';
import { selectSession } from './RunControls';
import { JobLines } from './JobLines';
import { OFFER_MS, StatusBar, TOAST_MS } from './StatusBar';
import { useDocument } from './theme';
import { Timeline } from './Timeline';
import { Toolbar } from './Toolbar';
import { Told } from './parts';
import { useWords } from './words';

/** A sentence at the foot goes by itself. */
function useFadingToast(): void {
  const toast = useApp((s) => s.toast);
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(() => set({ toast: null }), toast.action ? OFFER_MS : TOAST_MS);
    return () => clearTimeout(timer);
  }, [toast]);
}

function Main() {
  const { t } = useWords();
  const drawer = useApp((s) => s.drawer);
  const staged = useApp((s) => s.view?.row.staged ?? false);
  const foreign = useApp((s) => (selectSession(s)?.foreign ?? '') !== '');
  const empty = useApp((s) => (s.timeline?.rows.length ?? 0) === 0);
  if (empty) {
    return (
      <main className="ready" data-region="panes">
        <div className="empty" role="status"><strong>{t(foreign ? 'proxy.waiting' : 'session.ready')}</strong>{t(foreign ? 'proxy.waiting.text' : 'session.ready.text')}</div>
        <Composer />
      </main>
    );
  }
  return (
    <main className={staged ? 'main staged' : 'main'} data-drawer={drawer}>
      <RequestHead />
      <Panes />
      <Drawer />
    </main>
  );
}

function Work() {
  const session = useApp(selectSession);
  return (
    <div className="work">
      <Timeline />
      {session ? <Main /> : <FirstRun />}
    </div>
  );
}

/** Sizes that the user chose, as custom properties: set by script, which the page's policy allows. */
function useSizes(): React.CSSProperties {
  const p = useApp((s) => s.prefs);
  return {
    '--w-timeline': `${p.timeline}px`, '--w-prefix': `${p.prefix}px`, '--w-carrier': `${p.carrier}px`, '--h-drawer': `min(${p.drawer}px, 70vh)`, '--w-ladder': `${p.ladder}px`,
  } as React.CSSProperties;
}

export function App() {
  const { t } = useWords();
  const phase = useApp((s) => s.phase);
  const error = useApp((s) => s.startError);
  useDocument();
  useKeyboard();
  useFadingToast();
  const sizes = useSizes();
  const dropping = useDroppedFiles();
  return (
    <>
      <div className="window" style={sizes}>
        <Toolbar />
        {phase === 'ready' && (
          <div className="with-banner">
            <div><JobLines /><Banners /></div>
            <Work />
          </div>
        )}
        {phase === 'starting' && <p className="empty" role="status">{t('starting')}</p>}
        {phase === 'failed' && <div className="empty" role="alert"><strong>{t('start.failed')}</strong><Told text={error} /><p><button type="button" className="btn line" onClick={() => window.location.reload()}>{t('start.again')}</button></p></div>}
        <StatusBar />
      </div>
      <Overlays />
      {dropping && <div className="drop-zone" aria-hidden="true"><div><FileInput className="icon" />{t('import.drop')}</div></div>}
    </>
  );
}
