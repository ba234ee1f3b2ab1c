import { useSyncExternalStore } from 'react';
import { setPane } from '../../state/actions';
import { useApp, type PaneName } from '../../state/store';
import { Segmented, Told } from '../parts';
import { Splitter } from '../Splitter';
import { useWords } from '../words';
import { OtherSheet } from './About';
import { Carrier } from './Carrier';
import { History } from './History';
import { Prefix } from './Prefix';

/** Below this width in px the prefix folds by itself. */
const FOLD = '(max-width: 1359px)';
const ONE_PANE = '(max-width: 899px)';

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const m = window.matchMedia(query);
      m.addEventListener('change', changed);
      return () => m.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
  );
}

export function Panes() {
  const { t } = useWords();
  const prefs = useApp((s) => s.prefs);
  const pane = useApp((s) => s.pane);
  const view = useApp((s) => s.view);
  const error = useApp((s) => s.viewError);
  const narrow = useMedia(FOLD);
  const single = useMedia(ONE_PANE);
  const prefixFolded = !single && (narrow || prefs.prefixFolded);
  const carrierFolded = !single && prefs.carrierFolded;
  if (!view) return <div className="empty" role="status">{error !== '' ? <Told text={error} /> : t('request.loading')}</div>;
  if (view.row.kind === 'other') return <OtherSheet view={view} />;
  return (
    <div className="panes" data-pane={pane} data-prefix={prefixFolded ? 'folded' : 'open'} data-carrier={carrierFolded ? 'folded' : 'open'}>
      <div className="switch">
        <Segmented<PaneName>
          value={pane}
          label={t('panes')}
          onChange={setPane}
          options={[{ value: 'prefix', label: t('prefix') }, { value: 'history', label: t('history') }, { value: 'carrier', label: t('carrier') }]}
        />
      </div>
      <Prefix view={view} folded={prefixFolded} fixed={narrow} />
      <History view={view} />
      <Carrier view={view} folded={carrierFolded} />
      {!prefixFolded && <Splitter name="prefix" axis="x" grows={1} label={t('split.prefix')} style={{ left: prefs.prefix - 3 }} />}
      {!carrierFolded && <Splitter name="carrier" axis="x" grows={-1} label={t('split.carrier')} className="of-carrier" />}
    </div>
  );
}
