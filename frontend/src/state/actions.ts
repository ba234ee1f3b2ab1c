// What a person can do. Views call these; nothing else changes the store from above.
import type { Backend, Service } from '../api/service';
import type { Breakpoints, Compaction, ExportOrder, LabOrder, NewProxy, NewSession, RequestRef, Settings, ToolInfo } from '../api/types.gen';
import { choose as chooseOf, setFollow as followOf } from '../model/choice';
import { OWN } from '../i18n/own';
import { clampSize, readPrefs, type Prefs, type Sized } from '../model/prefs';
import { get, set, type DrawerState, type Overlay, type PaneName, type Tab, type Toast } from './store';
import { attach, detachAll, waiting } from './pictures';
import { importFiles, order, stopUpload } from './jobs';
import { message, Sync } from './sync';

const PREFS_KEY = 'zimoscope.prefs';

/** The program behind the window, set once by `start`. */
interface Running {
  backend: Backend;
  sync: Sync;
}

const running: { now: Running | null } = { now: null };

export async function start(backend: Backend): Promise<void> {
  running.now?.sync.stop();
  const sync = new Sync(backend);
  running.now = { backend, sync };
  backend.dropped?.((files) => void attachPictures(files));
  set({ prefs: readPrefs(window.localStorage.getItem(PREFS_KEY), window.innerHeight), drawer: window.innerHeight < LOW ? 'closed' : 'open' });
  await sync.start();
}

/** Height in px below which the drawer starts closed. */
const LOW = 720;

export function service(): Service {
  if (!running.now) throw new Error(OWN['own.unconnected']);
  return running.now.backend.service;
}

function sync(): Sync {
  if (!running.now) throw new Error(OWN['own.unconnected']);
  return running.now.sync;
}

export function toast(text: string, tone: 'ok' | 'bad' = 'ok', action?: Toast['action']): void {
  set({ toast: { text, tone, at: Date.now(), action } });
}

/** Runs one request to the program; its refusal is told as a sentence. */
async function act(name: string, run: (s: Service) => Promise<unknown>): Promise<boolean> {
  set({ busy: name });
  try {
    await run(service());
    return true;
  } catch (e) {
    toast(message(e), 'bad');
    return false;
  } finally {
    set({ busy: '' });
    sync().now(['snapshot', 'timeline']);
  }
}

// ---- requests

export function choose(n: number): void {
  const { choice, timeline } = get();
  if (n === 0 || n === choice.n) return;
  set({ choice: chooseOf(choice, n, timeline), hand: null });
  sync().now(['view']);
  const by = n - choice.n;
  if (Math.abs(by) === 1 && timeline?.rows[n + by - 1]) peek(n + by); // whoever steps on by key goes on that way
}

/** The pointer has come to the row of a request that is not shown, or, with 0, has left it. */
export function peek(n: number): void {
  if (n !== get().choice.n) running.now?.sync.peek(n);
}

/** The request before or after the chosen one, also where that is still on its way. */
export function chooseBeside(by: -1 | 1): void {
  const { choice, timeline } = get();
  const rows = timeline?.rows ?? [];
  const at = rows.findIndex((r) => r.n === choice.n);
  choose(at < 0 ? 0 : rows[at + by]?.n ?? 0);
}

export function setFollow(follow: boolean): void {
  const { choice, timeline } = get();
  const next = followOf(choice, follow, timeline);
  set({ choice: next });
  if (next.n !== choice.n) sync().now(['view']);
}

export function compareWith(base: RequestRef | null): void {
  set({ choice: { ...get().choice, base } });
  sync().now(['diff']);
}

export function pullAgain(): void {
  sync().everything();
}

// ---- the run

export const pause = () => act('pause', (s) => s.pause());
export const resume = () => act('continue', (s) => s.continue());
export const step = () => act('step', (s) => s.step());
export const stepTool = () => act('stepTool', (s) => s.stepTool());
export const abandon = () => act('abandon', (s) => s.abandon());
export const stop = () => act('stop', (s) => s.stop());
export const retry = () => act('retry', (s) => s.retry());
/** Sends a message with the pictures that wait for it; they stay when it was refused. */
export async function prompt(text: string): Promise<boolean> {
  const ok = await act('prompt', (s) => s.prompt(text, waiting(get()).map((p) => ({ name: p.name, data: p.data }))));
  if (ok) detachAll();
  return ok;
}
export const setBreakpoints = (b: Breakpoints) => act('breakpoints', (s) => s.setBreakpoints(b));

/** Calls a tool by hand. The answer, also a failed one, is kept to be shown. */
export async function callTool(tool: ToolInfo, args: string): Promise<boolean> {
  return act('callTool', async (s) => {
    const result = await s.callTool(tool.server, tool.name, args);
    set({ hand: { tool: tool.name, result } });
  });
}

/** Puts the last answer of a call by hand away. */
export const forgetHand = () => set({ hand: null });

// ---- sessions

export const create = (n: NewSession) => act('create', (s) => s.create(n));
export const startDemo = (lang: string) => create({ name: '', config: '', demo: true, lang, settings: null });
export const openSession = (id: string) => act('open', (s) => s.open(id));
export const renameSession = (id: string, name: string) => act('rename', (s) => s.rename(id, name));
export const pinSession = (id: string, pinned: boolean) => act('pin', (s) => s.pin(id, pinned));

/** Deletes a session; the sentence that says so offers to undo it. */
export async function deleteSession(id: string, name: string, words: { said: string; undo: string }): Promise<boolean> {
  return act('delete', async (s) => {
    await s.remove(id);
    set({ deleted: { session: id, name } });
    toast(words.said, 'ok', { label: words.undo, run: () => void restoreSession(id) });
  });
}

export async function restoreSession(id: string): Promise<boolean> {
  return act('restore', async (s) => {
    await s.restore(id);
    set({ toast: null, deleted: get().deleted?.session === id ? null : get().deleted });
  });
}

export const purgeSession = (id: string) => act('purge', (s) => s.purge(id));
export const configure = (id: string, change: Settings) => act('configure', (s) => s.configure(id, change));

/** Makes a session's file smaller; `said` gets the sizes in bytes. */
export async function compactSession(id: string, said: (c: Compaction) => string): Promise<boolean> {
  return act('compact', async (s) => toast(said(await s.compact(id))));
}

// ---- other agents' traffic: files in and out, the proxy, two sessions, the end-to-end run

function backend(): Backend {
  if (!running.now) throw new Error(OWN['own.unconnected']);
  return running.now.backend;
}

/** Brings files in: those that were chosen or dropped, or those that the window asks for. */
export const bringIn = (files: readonly File[]) => act('import', () => importFiles(backend(), files));

/** Takes pictures for the next message; those that can't go with one are refused in a sentence. */
export async function attachPictures(files: readonly File[]): Promise<void> {
  const s = get();
  const session = s.snapshot?.sessions.find((x) => x.id === s.snapshot?.current);
  if (!session || session.readOnly || session.foreign !== '') return toast(OWN['own.picture.nowhere'], 'bad');
  try {
    const refused = await attach(files);
    if (refused.length > 0) toast(refused.join('\n'), 'bad');
  } catch (e) {
    toast(message(e), 'bad');
  }
}

export { detach } from './pictures';

/** Whether the page sends files itself; else the program asks for them. */
export const sendsFiles = () => backend().send !== null;
export const cancelUpload = stopUpload;
export const cancelJob = (id: number) => act('job', (s) => s.cancelJob(id));
export const dismissJob = (id: number) => act('job', (s) => s.dismissJob(id));
export const exportSession = (o: ExportOrder) => act('export', () => order(backend(), o));
export const startProxy = (p: NewProxy) => act('proxy', (s) => s.startProxy(p));
export const stopProxy = () => act('proxy', (s) => s.stopProxy());
export const setBaseline = (id: string, name: string) => act('baseline', (s) => s.setBaseline(id, name));
export const runEndToEnd = () => act('e2e', (s) => s.runEndToEnd());
export const stopEndToEnd = () => act('e2e', (s) => s.stopEndToEnd());
export const probeBackend = () => act('probe', (s) => s.probeBackend());

export const startLab = (o: LabOrder) => act('lab', (s) => s.startLab(o));
export const stopLab = () => act('lab', (s) => s.stopLab());

/** The end-to-end run, in the drawer where there is one, else in a panel. */
export function showEndToEnd(): void {
  if ((get().timeline?.rows.length ?? 0) > 0) {
    set({ overlay: null });
    setTab('e2e');
  } else show({ kind: 'e2e' });
}

/** Opens a session and compares two requests of two sessions. */
export async function compareAcross(base: RequestRef, next: RequestRef): Promise<void> {
  await goTo(next);
  set({ choice: { session: next.session, n: next.n, follow: false, base }, goto: null });
  sync().now(['timeline', 'view']);
  setTab('diff');
}

/** Opens a session and shows one of its requests. */
export async function goTo(ref: RequestRef): Promise<void> {
  if (get().snapshot?.current === ref.session) return choose(ref.n);
  set({ goto: ref });
  if (!(await openSession(ref.session))) set({ goto: null });
}

// ---- the window itself

export const setTab = (tab: Tab) => set({ tab, drawer: get().drawer === 'closed' ? 'open' : get().drawer });
/** Goes to another difference; the diff is brought up when something else stands there. */
export function jump(by: number | 'first'): void {
  if (get().tab !== 'diff' || get().drawer === 'closed') setTab('diff');
  set({ jump: { by, seq: get().jump.seq + 1 } });
}
export const setDrawer = (drawer: DrawerState) => set({ drawer });
export const setPane = (pane: PaneName) => set({ pane });
export const setFilter = (filter: string) => set({ filter });
export const showRedline = (redline: string) => {
  set({ redline });
  setTab('redlines');
};
export const show = (overlay: Overlay | null) => set({ overlay });

/** Opens a part of the request that is shown, whole. */
export function openPart(title: string, part: { kind: string; index: number }): void {
  const { choice, view } = get();
  show({ kind: 'text', opened: { title, source: { kind: 'part', session: choice.session, n: view?.row.n ?? choice.n, part: part.kind, index: part.index } } });
}

export function setPrefs(change: Partial<Prefs>): void {
  const prefs = { ...get().prefs, ...change };
  set({ prefs });
  window.localStorage.setItem(PREFS_KEY, JSON.stringify(prefs));
}

export const setSize = (name: Sized, px: number) => setPrefs({ [name]: clampSize(name, px) });

export async function copy(text: string, said: string): Promise<void> {
  try {
    await running.now?.backend.copy(text);
    toast(said);
  } catch (e) {
    toast(message(e), 'bad');
  }
}
