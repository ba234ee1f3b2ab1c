// A Service over any way to call a method by name with JSON arguments.
import type { Service } from '../api/service';
import type { Methods, TimelineDelta } from '../api/types.gen';
import { rowsOf } from './columns';
import { normalise } from './normalise';

/** Calls one method of api.Service. Rejects with an Error whose message is a sentence for a person. */
export type Call = (method: string, args: unknown[]) => Promise<unknown>;

type Name = keyof Methods;

export function service(call: Call): Service {
  // the generated table of methods holds names, arguments and results to the Go side
  const ask = async <M extends Name>(method: M, ...args: Methods[M]['args']): Promise<Methods[M]['result']> =>
    normalise((await call(method, args)) as Methods[M]['result']);
  const tell = async <M extends Name>(method: M, ...args: Methods[M]['args']): Promise<void> => {
    await call(method, args);
  };
  return {
    snapshot: () => ask('Snapshot'),
    timeline: (s) => ask('Timeline', s),
    timelineSince: async (s, rev) => {
      // the rows of a long session are most of what is ever sent: they are read column by column, and not walked again
      const { rows, ...rest } = (await call('TimelineSince', [s, rev])) as TimelineDelta;
      return { ...normalise(rest), rows: rowsOf(rows) };
    },
    request: (ref) => ask('Request', ref),
    messages: async (ref, from, count) => (await ask('Messages', ref, from, count)) ?? [],
    part: (ref, kind, index, offset) => ask('Part', ref, kind, index, offset),
    body: (ref, offset) => ask('Body', ref, offset),
    response: (ref, offset) => ask('Response', ref, offset),
    curl: (ref) => ask('Curl', ref),
    diff: (base, next) => ask('Diff', base, next),
    live: (s) => ask('Live', s),
    traffic: async (after) => (await ask('Traffic', after)) ?? [],
    trafficText: (seq) => ask('TrafficText', seq),
    tools: async () => (await ask('Tools')) ?? [],
    create: (n) => ask('Create', n),
    open: (s) => ask('Open', s),
    rename: (s, name) => tell('Rename', s, name),
    pin: (s, pinned) => tell('Pin', s, pinned),
    remove: (s) => tell('Delete', s),
    trash: () => ask('Trash'),
    restore: (s) => tell('Restore', s),
    purge: (s) => tell('Purge', s),
    compact: (s) => ask('Compact', s),
    search: (q) => ask('Search', q),
    settings: (s) => ask('Settings', s),
    draft: (config) => ask('Draft', config),
    configure: (s, change) => tell('Configure', s, change),
    keyState: (name) => ask('KeyState', name),
    saveKey: (name, key) => tell('SaveKey', name, key),
    deleteKey: (name) => tell('DeleteKey', name),
    jobs: async () => (await ask('Jobs')) ?? [],
    cancelJob: (id) => tell('CancelJob', id),
    dismissJob: (id) => tell('DismissJob', id),
    chooseImport: () => ask('ChooseImport'),
    importUpload: (upload) => ask('ImportUpload', upload),
    dropUpload: (upload) => tell('DropUpload', upload),
    exportSession: (o) => ask('Export', o),
    startProxy: (p) => ask('StartProxy', p),
    stopProxy: () => tell('StopProxy'),
    compareSessions: (base, next) => ask('CompareSessions', base, next),
    setBaseline: (s, name) => tell('SetBaseline', s, name),
    endToEnd: () => ask('EndToEnd'),
    runEndToEnd: () => tell('RunEndToEnd'),
    stopEndToEnd: () => tell('StopEndToEnd'),
    lab: () => ask('Lab'),
    startLab: (o) => tell('StartLab', o),
    stopLab: () => tell('StopLab'),
    probeBackend: () => tell('ProbeBackend'),
    prompt: (text, pictures) => tell('Prompt', text, pictures),
    retry: () => tell('Retry'),
    pause: () => tell('Pause'),
    continue: () => tell('Continue'),
    step: () => tell('Step'),
    stepTool: () => tell('StepTool'),
    abandon: () => tell('Abandon'),
    stop: () => tell('Stop'),
    setBreakpoints: (b) => tell('SetBreakpoints', b),
    callTool: (server, tool, args) => ask('CallTool', server, tool, args),
  };
}
