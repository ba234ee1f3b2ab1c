import { Archive, Columns2, Download, Flag, KeyRound, Search, Settings, ShieldCheck, SlidersHorizontal, Trash2 } from 'lucide-react';
import type { Overlay } from '../state/store';
import { show, showEndToEnd } from '../state/actions';
import { useApp } from '../state/store';
import { Popover } from './Popover';
import { selectSession } from './RunControls';
import { useWords } from './words';

/** What is asked for seldom: settings, keys, care of the store. */
export function MoreMenu() {
  const { t } = useWords();
  const session = useApp(selectSession);
  const entry = (icon: React.ReactNode, label: string, overlay: Overlay, close: () => void, keys = '') => (
    <button type="button" className="menu-item" onClick={() => { close(); show(overlay); }}>
      {icon}
      <span className="grow">{label}</span>
      {keys !== '' && <kbd>{keys}</kbd>}
    </button>
  );
  return (
    <Popover className="btn square" label={t('more')} width={260} align="end" testid="more" button={<Settings className="icon" />}>
      {(close) => (
        <div className="menu">
          {session && entry(<SlidersHorizontal className="icon" />, t('settings.open'), { kind: 'settings', session: session.id }, close)}
          {session && entry(<Archive className="icon" />, t('compact.open'), { kind: 'compact', session: session.id }, close)}
          {session && entry(<Download className="icon" />, t('export.open'), { kind: 'export', session: session.id }, close)}
          {session && entry(<Columns2 className="icon" />, t('sides.open.with'), { kind: 'compare', session: session.id }, close)}
          {session && entry(<Flag className="icon" />, t('baseline.open'), { kind: 'baseline', session: session.id }, close)}
          {session && <div className="menu-sep" />}
          <button type="button" className="menu-item" data-testid="menu-e2e" onClick={() => { close(); showEndToEnd(); }}><ShieldCheck className="icon" /><span className="grow">{t('tab.e2e')}</span></button>
          {entry(<Search className="icon" />, t('search.open'), { kind: 'search' }, close, 'Ctrl Shift F')}
          {entry(<Trash2 className="icon" />, t('trash.open'), { kind: 'trash' }, close)}
          {entry(<KeyRound className="icon" />, t('keys.open'), { kind: 'keys' }, close)}
        </div>
      )}
    </Popover>
  );
}
