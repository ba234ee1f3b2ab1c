// The one store of the window. Values only; what changes them is in actions.ts and sync.ts.
import { create } from 'zustand';
import type { LinkState } from '../api/service';
import type { DiffView, EndToEnd, Job, LabState, Live, RequestRef, RequestView, Snapshot, Timeline, ToolInfo, ToolResult, TrafficRow } from '../api/types.gen';
import { NO_CHOICE, type Choice } from '../model/choice';
import type { Picture } from '../model/picture';
import { DEFAULT_PREFS, type Prefs } from '../model/prefs';
import { NO_SEARCH, type SearchState } from '../model/search';

export const TABS = ['diff', 'raw', 'response', 'mcp', 'proof', 'redlines', 'lab', 'e2e'] as const;
export type Tab = (typeof TABS)[number];
export type DrawerState = 'closed' | 'open' | 'full';
export type PaneName = 'prefix' | 'history' | 'carrier';

/** A long text opened whole, over everything. */
export interface Opened {
  title: string;
  /** where it comes from: a part of a request, or a text that is already here */
  source: { kind: 'part'; session: string; n: number; part: string; index: number } | { kind: 'text'; text: string };
}

export type Overlay =
  | { kind: 'help' }
  | { kind: 'palette' }
  | { kind: 'text'; opened: Opened }
  | { kind: 'hand'; tool: ToolInfo }
  | { kind: 'rename' | 'delete' | 'settings' | 'compact' | 'export' | 'compare' | 'baseline'; session: string }
  | { kind: 'new' | 'search' | 'trash' | 'keys' | 'proxy' | 'e2e' };

/** Files on their way to the program. */
export interface Upload {
  id: string;
  name: string;
  sent: number;
  total: number;
}

/** A sentence at the foot; what can be done about it stands beside it for as long. */
export interface Toast {
  text: string;
  tone: 'ok' | 'bad';
  at: number;
  action?: { label: string; run: () => void };
}

export interface AppState {
  phase: 'starting' | 'ready' | 'failed';
  startError: string;
  link: LinkState;
  snapshot: Snapshot | null;
  timeline: Timeline | null;
  choice: Choice;
  view: RequestView | null;
  viewError: string;
  live: Live | null;
  diff: DiffView | null;
  diffError: string;
  traffic: TrafficRow[];
  tools: ToolInfo[];
  /** the last call by hand, shown in the frame pane until the next request */
  hand: { tool: string; result: ToolResult } | null;
  tab: Tab;
  drawer: DrawerState;
  pane: PaneName; // the one that is shown on a narrow window
  redline: string;
  /** the difference that is gone to: by how many from the one before, or to the first; a new `seq` each time */
  jump: { by: number | 'first'; seq: number };
  filter: string;
  overlay: Overlay | null;
  /** a sentence at the foot: something copied, something refused */
  toast: Toast | null;
  search: SearchState;
  /** a request of another session that is to be shown once that is open */
  goto: RequestRef | null;
  /** the session that was deleted last, while it can be brought back */
  deleted: { session: string; name: string } | null;
  jobs: Job[];
  uploads: Upload[];
  /** pictures that wait for a message in one session */
  attached: { session: string; list: readonly Picture[] };
  endToEnd: EndToEnd | null;
  lab: LabState | null;
  busy: string; // the action that is under way, "" when none
  prefs: Prefs;
}

export const INITIAL: AppState = {
  phase: 'starting', startError: '', link: 'down', snapshot: null, timeline: null, choice: NO_CHOICE, view: null,
  viewError: '', live: null, diff: null, diffError: '', traffic: [], tools: [], hand: null, tab: 'diff', drawer: 'open',
  pane: 'history', redline: '', jump: { by: 'first', seq: 0 }, filter: '', overlay: null, toast: null, search: NO_SEARCH, goto: null, deleted: null, jobs: [], uploads: [], attached: { session: '', list: [] }, endToEnd: null, lab: null, busy: '', prefs: DEFAULT_PREFS,
};

export const useApp = create<AppState>()(() => INITIAL);
export const get = useApp.getState;
export const set = useApp.setState;
