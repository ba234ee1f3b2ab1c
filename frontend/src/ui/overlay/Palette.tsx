import { useMemo, useState } from 'react';
import type { Command } from '../../model/keys';
import { visible } from '../../model/visible';
import { choose, openSession, pinSession, probeBackend, restoreSession, show, showEndToEnd, startDemo, stopProxy } from '../../state/actions';
import { TABS, useApp } from '../../state/store';
import { perform, saidBy } from '../commands';
import { chooseFiles } from '../files';
import { Dialog } from '../Dialog';
import { selectMode } from '../RunControls';
import { useWords } from '../words';

interface Entry {
  name: string;
  keys: string;
  run: () => void;
}

const COMMANDS: readonly { command: Command; keys: string }[] = [
  { command: 'run', keys: 'F5' }, { command: 'continue', keys: 'F8' }, { command: 'step', keys: 'F10' }, { command: 'steptool', keys: 'F11' }, { command: 'stop', keys: 'Shift F5' },
  { command: 'compose', keys: 'c' }, { command: 'follow', keys: 'f' }, { command: 'filter', keys: '/' }, { command: 'drawer', keys: 'd' }, { command: 'drawer-full', keys: 'D' },
  { command: 'hunk-next', keys: 'n' }, { command: 'hunk-previous', keys: 'p' }, { command: 'hunk-first', keys: 'N' },
  { command: 'copy', keys: 'y' }, { command: 'search', keys: 'Ctrl Shift F' }, { command: 'language', keys: 'l' }, { command: 'theme', keys: 't' }, { command: 'help', keys: '?' },
];

/** Letters of the query in order, each as early as can be. */
function fits(name: string, query: string): boolean {
  let at = 0;
  const low = name.toLowerCase();
  for (const c of query.toLowerCase().replace(/\s+/g, '')) {
    at = low.indexOf(c, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function useEntries(): Entry[] {
  const { t, say, lang } = useWords();
  const sessions = useApp((s) => s.snapshot?.sessions);
  const current = useApp((s) => s.snapshot?.current);
  const deleted = useApp((s) => s.deleted);
  const mode = useApp(selectMode);
  const recording = useApp((s) => s.snapshot?.state.proxy.running ?? false);
  return useMemo(() => {
    const later = (run: () => void) => () => {
      show(null);
      run();
    };
    const list: Entry[] = COMMANDS.filter((c) => mode !== 'read-only' || !['run', 'continue', 'step', 'steptool', 'stop', 'compose'].includes(c.command)).map((c) => ({
      name: say(`keys.${c.command}`), keys: c.keys, run: later(() => perform(c.command, saidBy(t))),
    }));
    TABS.forEach((tab, i) => list.push({ name: t('palette.tab', { tab: t(`tab.${tab}`) }), keys: String(i + 1), run: later(() => perform(`tab-${i + 1}` as Command, saidBy(t))) }));
    if (mode === 'idle') list.push({ name: t('picture.open'), keys: '', run: later(() => document.querySelector<HTMLElement>('[data-testid="attach"]')?.click()) });
    list.push({ name: t('session.new'), keys: '', run: () => show({ kind: 'new' }) });
    list.push({ name: t('import.open'), keys: '', run: later(chooseFiles) });
    list.push({ name: t('proxy.open'), keys: '', run: () => show({ kind: 'proxy' }) });
    if (recording) list.push({ name: t('proxy.stop.recording'), keys: '', run: later(() => void stopProxy()) });
    list.push({ name: t('palette.e2e'), keys: '', run: showEndToEnd });
    list.push({ name: t('backend.probe'), keys: '', run: later(() => void probeBackend()) });
    list.push({ name: t('session.demo'), keys: '', run: later(() => void startDemo(lang)) });
    if (deleted) list.push({ name: t('palette.undo', { name: deleted.name }), keys: '', run: later(() => void restoreSession(deleted.session)) });
    const open = sessions?.find((s) => s.id === current);
    if (open) {
      list.push({ name: t(open.pinned ? 'palette.unpin' : 'palette.pin'), keys: '', run: later(() => void pinSession(open.id, !open.pinned)) });
      list.push({ name: t('settings.open'), keys: '', run: () => show({ kind: 'settings', session: open.id }) });
      list.push({ name: t('compact.open'), keys: '', run: () => show({ kind: 'compact', session: open.id }) });
      list.push({ name: t('export.open'), keys: '', run: () => show({ kind: 'export', session: open.id }) });
      list.push({ name: t('sides.open.with'), keys: '', run: () => show({ kind: 'compare', session: open.id }) });
      list.push({ name: t('baseline.open'), keys: '', run: () => show({ kind: 'baseline', session: open.id }) });
      list.push({ name: t('palette.rename'), keys: '', run: () => show({ kind: 'rename', session: open.id }) });
      list.push({ name: t('palette.delete'), keys: '', run: () => show({ kind: 'delete', session: open.id }) });
    }
    list.push({ name: t('trash.open'), keys: '', run: () => show({ kind: 'trash' }) });
    list.push({ name: t('keys.open'), keys: '', run: () => show({ kind: 'keys' }) });
    for (const s of sessions ?? []) list.push({ name: t('palette.open', { name: s.name || s.id }), keys: '', run: later(() => void openSession(s.id)) });
    return list;
  }, [t, say, lang, sessions, current, deleted, mode, recording]);
}

export function Palette() {
  const { t } = useWords();
  const entries = useEntries();
  const rows = useApp((s) => s.timeline?.rows);
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const number = /^#?(\d+)$/.exec(query.trim())?.[1];
  const found = entries.filter((e) => fits(e.name, query));
  if (number && rows?.some((r) => r.n === Number(number))) {
    found.unshift({ name: t('palette.goto', { at: number }), keys: '', run: () => { show(null); choose(Number(number)); } });
  }
  const current = Math.max(0, Math.min(at, found.length - 1));
  return (
    <Dialog width={560} top className="palette">
      <input
        data-autofocus
        value={query}
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.title')}
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={`palette-${current}`}
        data-testid="palette"
        onChange={(e) => { setQuery(e.target.value); setAt(0); }}
        onKeyDown={(e) => {
          if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
            e.preventDefault();
            const next = (current + (e.key === 'ArrowDown' ? 1 : -1) + found.length) % Math.max(1, found.length);
            setAt(next);
            document.getElementById(`palette-${next}`)?.scrollIntoView({ block: 'nearest' });
          } else if (e.key === 'Enter') {
            e.preventDefault();
            found[current]?.run();
          }
        }}
      />
      <div className="list content" id="palette-list" role="listbox" aria-label={t('palette.title')}>
        {found.map((e, i) => (
          <button key={`${e.name}${i}`} id={`palette-${i}`} type="button" className="menu-item" role="option" aria-selected={i === current} tabIndex={-1} onClick={e.run}>
            <span className="grow cut">{visible(e.name)}</span>
            {e.keys !== '' && <kbd>{e.keys}</kbd>}
          </button>
        ))}
        {found.length === 0 && <p className="menu-title">{t('palette.nothing')}</p>}
      </div>
    </Dialog>
  );
}
