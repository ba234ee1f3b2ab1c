// The fixture's answers about files, the proxy, two sessions, the cache lab and the end-to-end run.
import type { Service } from '../api/service';
import type { EndToEnd, LabState, RequestRow, RunState, SessionInfo } from '../api/types.gen';
import { labOf } from './labdata';

type Beside = Pick<Service, 'jobs' | 'cancelJob' | 'dismissJob' | 'chooseImport' | 'importUpload' | 'dropUpload' | 'exportSession' | 'startProxy' | 'stopProxy' | 'compareSessions' | 'setBaseline' | 'endToEnd' | 'runEndToEnd' | 'stopEndToEnd' | 'probeBackend' | 'lab' | 'startLab' | 'stopLab'>;

const RUN: EndToEnd = {
  running: false, outcome: 'skipped', sentence: 'skipped: requires mteam backend (no answer at the address, no backend folder)', started: 1, millis: 34, notes: [], report: '/home/me/.local/share/zimoscope/e2e/20261130-140244/report.html', session: '', model: '', provider: '', error: '',
  steps: [
    { id: 'hub', title: 'The hub answers with its current frame', state: 'failed', evidence: ['POST http://127.0.0.1:58590/api/panel/zimoos/current: connection refused'], todo: 'Start the mteam backend, or set MTEAM_HUB_URL to where it listens.' },
    { id: 'folder', title: 'The backend folder is there', state: 'failed', evidence: ['MTEAM_BACKEND_DIR names none'], todo: 'Set MTEAM_BACKEND_DIR to the backend package of mteam.' },
    { id: 'bun', title: 'bun is there, to start the MCP server', state: 'ok', evidence: ['/usr/local/bin/bun'], todo: '' },
    { id: 'provider', title: 'A provider is configured', state: 'skipped', evidence: ['not reached: there is no backend to run on'], todo: '' },
    { id: 'A8', title: 'History only grows at its end', state: 'skipped', evidence: ['not reached: there is no backend to run on'], todo: '' },
  ],
  backend: { configured: false, probing: false, at: Date.UTC(2026, 10, 30, 13, 2), hub: 'http://127.0.0.1:58590', folder: '', ready: false, complete: false, missing: ['no answer at the address', 'no backend folder'], attempts: [{ url: 'http://127.0.0.1:58590/api/zimoos/current', status: 0, sentence: 'connection refused' }] },
};

export function beside(emit: (topic: string) => void, rows: RequestRow[], state: RunState, session: () => SessionInfo): Beside {
  let lab: LabState = { session: '', running: false, stage: '', done: 0, of: 0, error: '', idle: 0, prices: labOf(rows).prices, builtIn: labOf(rows).prices, unkept: '', result: null };
  const row = (n: number) => rows[n - 1] ?? null;
  return {
    jobs: async () => [], cancelJob: async () => undefined, dismissJob: async () => undefined,
    chooseImport: async () => ({ id: 0, kind: '', name: '', state: '', file: '', bytes: 0, total: 0, requests: 0, format: '', notes: [], error: '', session: '', opened: false, path: '', download: '' }),
    importUpload: async () => ({ id: 1, kind: 'import', name: 'trace.har', state: 'done', file: '', bytes: 1, total: 1, requests: 6, format: 'HAR', notes: ['line 7 is no JSON'], error: '', session: 's1', opened: true, path: '', download: '' }),
    dropUpload: async () => undefined,
    exportSession: async (o) => ({ id: 2, kind: 'export', name: 'x', state: 'done', file: '', bytes: 1, total: 0, requests: 0, format: o.format, notes: [], error: '', session: o.session, opened: false, path: '', download: '/download/t/x' }),
    startProxy: async (p) => {
      state.proxy = { running: true, stopping: false, address: 'http://127.0.0.1:40817', upstream: p.upstream, active: 1, error: '' };
      emit('state');
      return session();
    },
    stopProxy: async () => {
      state.proxy = { ...state.proxy, running: false };
      emit('state');
    },
    compareSessions: async (base, next) => ({
      base: { session: base, name: 'Tag my notes', figures: FIGURES }, next: { session: next, name: 'Sunday shopping list', figures: FIGURES }, same: 1, first: 1,
      pairs: [{ turn: 1, state: 'same', base: row(1), next: row(1) }, { turn: 1, state: 'differs', base: row(2), next: row(3) }, { turn: 2, state: 'next-only', base: null, next: row(4) }],
      where: { verdict: 'rewritten', planned: null, causes: [], partKind: 'message', partIndex: 3, path: '$.messages[3].content', partOffset: 20, bodyOffset: 3200, historyLost: 0, before: '', after: '', notes: [], noteWords: [] },
    }),
    setBaseline: async () => emit('sessions'),
    endToEnd: async () => RUN, runEndToEnd: async () => undefined, stopEndToEnd: async () => undefined, probeBackend: async () => undefined,
    lab: async () => lab,
    startLab: async (o) => {
      lab = { ...labOf(rows), session: o.session, prices: o.prices, idle: o.idle };
      emit('lab');
    },
    stopLab: async () => undefined,
  };
}

const FIGURES = { requests: 14, pairs: 13, prefixEqual: 12, plannedBreaks: 1, violations: 0, predictedReuse: 40, predictedTotal: 50, predictedExact: true, reportedReuse: 38, reportedTotal: 50, notReported: 0, proved: 14, imported: 0, claimed: 0, others: 0, storeBytes: 1 };
