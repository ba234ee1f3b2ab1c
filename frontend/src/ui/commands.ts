// What the keyboard and the palette can do, by name.
import type { T } from '../i18n';
import type { Command } from '../model/keys';
import { lines, neighbour } from '../model/timeline';
import { parseFilter } from '../model/filter';
import { choose, copy, jump, pause, resume, service, setDrawer, setFollow, setPrefs, setTab, show, step, stepTool, stop, toast } from '../state/actions';
import { readAll } from '../state/longtext';
import { get, TABS } from '../state/store';
import { run, selectMode } from './RunControls';

/** Regions in the order of F6. */
const REGIONS = ['toolbar', 'timeline', 'panes', 'drawer', 'status'];

function move(by: number): void {
  const { timeline, choice, filter } = get();
  if (timeline) choose(neighbour(lines(timeline, parseFilter(filter).test), choice.n, by));
}

function focusRegion(by: number): void {
  const here = document.activeElement?.closest('[data-region]')?.getAttribute('data-region') ?? '';
  const at = REGIONS.indexOf(here);
  for (let i = 1; i <= REGIONS.length; i++) {
    const name = REGIONS[(at + by * i + REGIONS.length * 2) % REGIONS.length];
    for (const region of document.querySelectorAll<HTMLElement>(`[data-region="${name}"]`)) {
      const target = region.querySelector<HTMLElement>('[data-focus]') ?? region.querySelector<HTMLElement>('button:not(:disabled)');
      if (target && target.offsetParent !== null) {
        target.focus();
        return;
      }
    }
  }
}

function focus(testid: string): void {
  document.querySelector<HTMLElement>(`[data-testid="${testid}"]`)?.focus();
}

function toggleTheme(): void {
  setPrefs({ theme: document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark' });
}

/** What is said when a command has done what can't be seen. */
export interface Said {
  copied: string;
  armedRequest: string;
  armedTool: string;
}

export const saidBy = (t: T): Said => ({ copied: t('copied.body'), armedRequest: t('run.armed.request'), armedTool: t('run.armed.tool') });

/** A step from rest stands ready for the next run; a paused one goes on at once. */
export function arm(mode: string, go: () => Promise<boolean>, said: string): void {
  if (mode === 'paused') void go();
  else if (mode === 'idle') void go().then((ok) => ok && toast(said));
}

/** Does a command. Those that the state does not allow do nothing. */
export function perform(command: Command, said: Said): void {
  const s = get();
  const mode = selectMode(s);
  switch (command) {
    case 'down': return move(1);
    case 'up': return move(-1);
    case 'first': return move(-Infinity);
    case 'last': return move(Infinity);
    case 'follow': return setFollow(!s.choice.follow);
    case 'filter': return focus('filter');
    case 'compose': return focus('composer');
    case 'help': return show({ kind: 'help' });
    case 'search': return show({ kind: 'search' });
    case 'palette': return show({ kind: 'palette' });
    case 'run': return mode === 'idle' ? run(s.snapshot?.state.retryable ?? false) : mode === 'paused' ? void resume() : undefined;
    case 'continue': return mode === 'paused' ? void resume() : mode === 'running' ? void pause() : undefined;
    case 'pause': return mode === 'running' ? void pause() : undefined;
    case 'step': return arm(mode, step, said.armedRequest);
    case 'steptool': return arm(mode, stepTool, said.armedTool);
    case 'stop': return mode === 'running' || mode === 'paused' ? void stop() : undefined;
    case 'region': return focusRegion(1);
    case 'region-back': return focusRegion(-1);
    case 'hunk-next': return jump(1);
    case 'hunk-previous': return jump(-1);
    case 'hunk-first': return jump('first');
    case 'drawer': return setDrawer(s.drawer === 'closed' ? 'open' : 'closed');
    case 'drawer-full': return setDrawer(s.drawer === 'full' ? 'open' : 'full');
    case 'language': return setPrefs({ lang: document.documentElement.lang === 'en' ? 'zh' : 'en' });
    case 'theme': return toggleTheme();
    case 'fold-prefix': return setPrefs({ prefixFolded: !s.prefs.prefixFolded });
    case 'fold-carrier': return setPrefs({ carrierFolded: !s.prefs.carrierFolded });
    case 'copy': {
      const ref = { session: s.choice.session, n: s.choice.n };
      if (ref.n > 0) void readAll((o) => service().body(ref, o)).then((text) => copy(text, said.copied));
      return;
    }
    case 'escape': return show(null);
    default: return setTab(TABS[Number(command.slice(4)) - 1]);
  }
}
