// A service without a program: one session of fourteen requests, for development and tests. Never in the bundle.
// Variants: "" a live session · violation · stepper · first · down · readonly · hostile · big · agent
import type { Backend, Service, TimelineChange } from '../api/service';
import type { DiffView, Event, Figures, Live, RequestRow, RunState, SessionInfo, Snapshot, TextPage, Timeline, TrafficRow } from '../api/types.gen';
import { assemble, frameView, moments, RULES, turns, type Built, type Moment } from './build';
import { compare } from './compare';
import { asAgent } from './agent';
import { beside } from './beside';
import { care } from './care';
import { FRAMES, TOOLS } from './script';

const START = Date.UTC(2026, 10, 30, 13, 1, 20, 232);
const MILLIS = [812, 734, 1110, 640, 455, 901, 688, 1260, 702, 917, 894, 1670, 811, 1140];
const BIG_ROWS = 10_000;

interface Data {
  list: Moment[];
  built: Built[];
  diffs: (DiffView | null)[];
}

function prepare(variant: string): Data {
  let list = moments();
  if (variant === 'stepper') list = list.slice(0, 8);
  if (variant === 'violation') list = rewrite(list.slice(0, 12));
  if (variant === 'hostile') list = hostile(list);
  const built = list.map(assemble);
  const diffs = built.map((b, i) => tell(b, i, built, list, variant));
  if (variant === 'agent') asAgent(built);
  return { list, built, diffs };
}

/** From the ninth request on an old record reads otherwise than it was sent. */
function rewrite(list: Moment[]): Moment[] {
  return list.map((m, i) => {
    if (i < 8) return m;
    const messages = m.messages.map((x) => (x.record?.summary.startsWith('Opened Notes; it lists') ? { ...x, text: x.text.replace(/Summary: .*/, 'Summary: Opened Notes: 12 notes, the newest is "Groceries"; "Shopping list" comes second.'), record: { ...x.record, summary: 'Opened Notes: 12 notes, the newest is "Groceries"; "Shopping list" comes second.' } } : x));
    return { ...m, messages };
  });
}

export const HOSTILE = '</script><img src=x onerror=alert(1)><b>bold</b> \u202e\u0000{{7*7}} <zimoos>';

function hostile(list: Moment[]): Moment[] {
  return list.map((m) => ({
    ...m, messages: m.messages.map((x) => ({ ...x, text: x.record ? x.text : `${HOSTILE} ${x.text}`, record: x.record ? { ...x.record, summary: x.record.summary + HOSTILE } : null })),
    frame: m.frame ? { ...m.frame, title: HOSTILE + m.frame.title.repeat(20), visible: [...m.frame.visible, HOSTILE.repeat(8)] } : null,
  }));
}

function tell(b: Built, i: number, built: Built[], list: Moment[], variant: string): DiffView | null {
  const row = b.view.row;
  row.n = i + 1;
  row.sentAt = START + i * 5700;
  row.millis = MILLIS[i % MILLIS.length];
  let from = i - 1;
  if (from >= 0 && list[from].kind === 'side') from--;
  if (i === 0) {
    row.new = row.bytes - row.prefix - row.tail;
    row.predicted = { class: 'token', reused: 0, total: row.usage.prompt, exact: true };
    for (const m of b.view.messages) m.changed = 'new';
    return null;
  }
  const base = built[from];
  const session = 's1';
  const last = i === list.length - 1;
  row.staged = variant === 'stepper' && last;
  const diff = compare({ session, n: from + 1 }, { session, n: i + 1 }, base, b, list[i].windowed);
  b.view.row.base = from + 1;
  b.view.verdict = diff.verdict;
  b.view.unchanged = i + 1;
  b.view.carrier.previous = base.view.carrier.block;
  row.verdict = diff.verdict.verdict;
  row.planned = diff.verdict.planned;
  mark(b, base);
  measure(b, base, i);
  if (row.staged) stage(b, diff);
  if (!row.planned) accuse(b, diff);
  if (last && variant === '') Object.assign(row, { status: 'receiving', proof: 'pending', usage: { reported: false, prompt: 0, cached: 0, cachedSaid: false, completion: 0 } });
  return diff;
}

function stage(b: Built, diff: DiffView): void {
  Object.assign(b.view.row, { status: 'staged', proof: 'pending', sentAt: 0, millis: 0, attempts: 0, tools: [], usage: { reported: false, prompt: 0, cached: 0, cachedSaid: false, completion: 0 } });
  for (const p of [b.view.model, ...b.view.tools, b.view.system, ...b.view.messages]) p.claimed = p.link === '' || !diff.rungs.some((r) => r.state === 'equal' && r.nextLink === p.link);
  for (const p of [b.view.model, ...b.view.tools, b.view.system]) p.claimed = false;
  for (const r of diff.rungs) r.claimed = true;
}

function mark(b: Built, base: Built): void {
  const old = new Map(base.view.messages.map((m) => [m.leaf, m]));
  const gone = b.view.hidden.length > 0 && base.view.hidden.length === 0;
  b.view.messages.forEach((m, k) => {
    const before = gone ? undefined : base.view.messages[k];
    if (old.has(m.leaf)) m.changed = '';
    else if (before && m.text.startsWith(before.text)) m.changed = 'grew';
    else m.changed = before ? 'changed' : 'new';
    if (m.record?.state === 'sealed' && m.changed === 'grew') m.record = { ...m.record, state: 'just-sealed', grown: m.bytes - (before?.bytes ?? 0) };
  });
}

function measure(b: Built, base: Built, i: number): void {
  const row = b.view.row;
  const history = b.view.messages.reduce((n, m) => n + m.bytes, 0);
  const fresh = b.view.messages.filter((m) => m.changed === 'new').reduce((n, m) => n + m.bytes, 0) + b.view.messages.reduce((n, m) => n + (m.record?.grown ?? 0), 0);
  const at = b.view.messages.findIndex((m) => m.changed === 'changed');
  row.lost = b.view.verdict.historyLost;
  row.new = at >= 0 ? b.view.messages.slice(at).reduce((n, m) => n + m.bytes, 0) : b.view.verdict.verdict === 'windowed' ? history : fresh;
  row.equal = Math.max(0, history - row.new);
  if (row.kind === 'side') Object.assign(row, { equal: history, new: 0 });
  const total = Math.round(row.bytes / 3.9);
  const reused = Math.round((row.prefix + row.equal) / 3.9 / 128) * 128;
  row.predicted = { class: 'minimum+step', reused, total, exact: true };
  row.usage = i === 9 ? { reported: false, prompt: 0, cached: 0, cachedSaid: false, completion: 0 } : { reported: true, prompt: total, cached: reused - (i % 4 === 0 ? 128 : 0), cachedSaid: true, completion: 40 };
  void base;
}

function accuse(b: Built, diff: DiffView): void {
  b.view.row.violations = ['A9'];
  b.view.redlines = RULES.map((r) => (r.id === 'A9' ? { ...r, ok: false, request: b.view.row.n, detail: `${diff.verdict.historyLost} history bytes lost at ${diff.verdict.path}` } : r));
}

function figures(rows: RequestRow[]): Figures {
  const sum = (f: (r: RequestRow) => number) => rows.reduce((n, r) => n + f(r), 0);
  const said = rows.filter((r) => r.usage.cachedSaid);
  return {
    requests: rows.filter((r) => !r.staged).length, pairs: rows.length - 1, prefixEqual: rows.filter((r) => ['extended', 'sealed'].includes(r.verdict)).length,
    plannedBreaks: rows.filter((r) => r.verdict === 'windowed').length, violations: rows.filter((r) => r.planned === false).length,
    predictedReuse: sum((r) => r.predicted?.reused ?? 0), predictedTotal: sum((r) => r.predicted?.total ?? 0), predictedExact: true,
    reportedReuse: said.reduce((n, r) => n + r.usage.cached, 0), reportedTotal: said.reduce((n, r) => n + r.usage.prompt, 0),
    notReported: rows.filter((r) => r.status === 'done' && !r.usage.reported).length, proved: rows.filter((r) => r.proof === 'proved').length, imported: 0, claimed: 0, others: rows.filter((r) => r.kind === 'other').length, storeBytes: 1_240_000,
  };
}

const page = (text: string, hash: string): TextPage => ({ text, offset: 0, total: new TextEncoder().encode(text).length, sha256: hash, binary: false });

export function fixture(variant: string): Backend {
  const data = prepare(variant);
  const listeners = new Set<(e: Event) => void>();
  let seq = 1;
  let started = variant !== 'first';
  const emit = (topic: string) => listeners.forEach((l) => l({ seq: ++seq, topic, id: topic === 'live' || topic === 'timeline' ? 's1' : '', rev: seq }));
  const rows = variant === 'big' ? bigRows(data) : data.built.map((b) => b.view.row);
  const at = (n: number) => {
    const b = data.built[(n - 1) % data.built.length];
    if (!b) throw new Error(`There is no request ${n} in this session.`);
    return b;
  };
  const state: RunState = stateOf(variant, rows);
  const sessions = (): SessionInfo[] => (started ? [sessionOf(variant, rows), { ...sessionOf('', rows.slice(0, 3)), id: 's2', name: 'Tag my notes', requests: 41, readOnly: false, heldBy: '' }] : []);
  const live: Live = { session: 's1', request: 14, text: '', reasoning: '', calls: [], deltas: 0, millis: 1140, done: variant !== '' };
  if (variant === '') stream(live, emit);
  const service: Service = {
    snapshot: async (): Promise<Snapshot> => ({ seq, version: '0.1.0', shell: 'serve', dataDir: '~/.local/share/zimoscope', sessions: sessions(), current: started ? 's1' : '', state: started ? state : { ...stateOf('', []), session: '', provider: { model: '', host: '', profile: '', scripted: false, status: 'unknown', error: '' }, servers: [], zimoos: 'none', phase: '', storeBytes: 100_000 }, languages: [] }),
    timeline: async (session): Promise<Timeline> => ({ session, rev: 1, rows, turns: turns(data.list), figures: figures(rows), redlines: RULES }),
    timelineSince: async (session, rev): Promise<TimelineChange> => {
      const full = rev === 0;
      const all = turns(data.list);
      return { session, rev: 1, full, rows: full ? rows : [], rowCount: rows.length, turns: full ? all : [], turnCount: all.length, figures: figures(rows), redlines: variant === 'violation' ? (data.built[8]?.view.redlines ?? RULES) : RULES };
    },
    request: async (ref) => (variant === 'big' ? { ...at(ref.n).view, row: rows[ref.n - 1] } : at(ref.n).view),
    messages: async (ref, from, count) => at(ref.n).view.messages.slice(from, from + count),
    part: async (ref, kind, index) => {
      const p = at(ref.n).parts.find((x) => x.kind === kind && x.index === index);
      return page(p?.text ?? '', p?.leaf ?? '');
    },
    body: async (ref, offset) => {
      const b = at(ref.n);
      return { ...page(b.body, b.parts[b.parts.length - 1].link), text: b.body.slice(offset), offset };
    },
    response: async (ref) => page(`data: {"id":"r${ref.n}","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\ndata: {"choices":[],"usage":{"prompt_tokens":3080,"big":9007199254740993,"ratio":1.0}}\n\ndata: [DONE]\n`, ''),
    curl: async () => "curl https://api.example.test/v1/chat/completions -H \"Authorization: Bearer $OPENAI_API_KEY\" --data-binary @body.json",
    diff: async (a, b) => (a.n === at(b.n).view.row.base && data.diffs[b.n - 1] ? (data.diffs[b.n - 1] as DiffView) : compare(a, b, at(a.n), at(b.n), false)),
    live: async () => ({ ...live }),
    traffic: async (after) => traffic().filter((t) => t.seq > after),
    trafficText: async (n) => traffic().find((t) => t.seq === n)?.text ?? '',
    tools: async () => TOOLS.map(([server, name, schema]) => ({ server, name, function: `${server}__${name}`, description: `The tool ${name}.`, schema: JSON.parse(schema) as unknown, zimoos: server === 'zimoos' })),
    create: async () => {
      started = true;
      emit('sessions');
      return sessionOf(variant, rows);
    },
    open: async () => sessionOf(variant, rows),
    rename: async () => emit('sessions'),
    ...care(emit),
    ...beside(emit, rows, state, () => sessionOf(variant, rows)),
    prompt: async () => undefined,
    retry: async () => undefined,
    pause: async () => undefined,
    continue: async () => undefined,
    step: async () => undefined,
    stepTool: async () => undefined,
    abandon: async () => undefined,
    stop: async () => {
      state.phase = 'idle';
      emit('state');
    },
    setBreakpoints: async (b) => {
      state.breakpoints = b;
      emit('state');
    },
    callTool: async () => ({ state: 'ok', text: '', raw: '', frame: frameView(FRAMES[9]), millis: 12 }),
  };
  return {
    service,
    subscribe(_after, onEvent, onLink) {
      listeners.add(onEvent);
      onLink('up');
      return () => listeners.delete(onEvent);
    },
    copy: async () => undefined,
    send: async (_id, file, onSent) => onSent(file.size),
    download: () => undefined,
    dropped: null,
  };
}

/** Milliseconds between two deltas of the streaming answer. */
const DELTA_MS = 120;
const ANSWER = 'Done: "Sunday shopping" is pinned and leads th';

function stream(live: Live, emit: (topic: string) => void): void {
  let i = 0;
  const timer = setInterval(() => {
    live.text = ANSWER.slice(0, (i += 3));
    live.deltas++;
    emit('live');
    if (i >= ANSWER.length) clearInterval(timer);
  }, DELTA_MS);
}

function bigRows(data: Data): RequestRow[] {
  return Array.from({ length: BIG_ROWS }, (_, i) => ({ ...data.built[i % data.built.length].view.row, n: i + 1, status: 'done' }));
}

function sessionOf(variant: string, rows: RequestRow[]): SessionInfo {
  return {
    id: 's1', name: 'Sunday shopping list', createdAt: START, updatedAt: START + 90_000, requests: rows.length, verdicts: {}, violations: variant === 'violation' ? 1 : 0, bytes: 1_240_000,
    model: 'gpt-4.1', host: 'api.openai.com', simulated: true, readOnly: variant === 'readonly' || variant === 'violation', heldBy: variant === 'readonly' ? 'zimoscope, process 4711' : '', pinned: false, foreign: variant === 'agent' ? 'proxy' : '', baseline: '',
  };
}

function stateOf(variant: string, rows: RequestRow[]): RunState {
  const down = variant === 'down';
  const server = (name: string, prefix: string) => ({ name, status: 'ready', tools: TOOLS.filter((t) => t[1].startsWith(prefix)).map((t) => t[1]), error: '', exitCode: null, stderr: '', path: '', pid: 4321 });
  return {
    session: 's1', phase: variant === 'stepper' ? 'paused' : variant === '' ? 'receiving' : 'idle', request: rows.length, tool: '', pausedAt: variant === 'stepper' ? 'request' : '', staged: variant === 'stepper',
    error: '', retryable: down, provider: { model: 'gpt-4.1', host: 'api.openai.com', profile: 'openai', scripted: false, status: down ? 'error' : 'ok', error: down ? 'Post "https://api.openai.com/v1/chat/completions": dial tcp: connection refused' : '' },
    servers: [server('zimoos', 'zimoos'), server('files', 'files'), down ? { ...server('tasks', 'tasks'), status: 'exited', exitCode: 127, error: 'the process ended', stderr: 'env: bun: No such file or directory', path: '/usr/local/bin:/usr/bin:/bin' } : server('tasks', 'tasks')],
    tools: TOOLS.length, zimoos: 'simulator', breakpoints: { beforeRequest: true, beforeTool: false, tool: '', afterFrame: false, onUnplanned: true, onRedline: true }, storeBytes: 1_240_000, proxy: { running: variant === 'agent', stopping: false, address: variant === 'agent' ? 'http://127.0.0.1:40817' : '', upstream: 'https://api.anthropic.com', active: 0, error: '' },
  };
}

function traffic(): TrafficRow[] {
  const text = (method: string, i: number) => `{"jsonrpc":"2.0","id":${i},"method":"${method}","params":{"name":"zimoos.act","arguments":{"frameCursor":"c${i}","cmd":"open app:notes","big":9007199254740993}}}`;
  return Array.from({ length: 60 }, (_, i) => {
    const direction = i === 7 ? 'stderr' : i % 2 === 0 ? 'out' : 'in';
    const t = direction === 'stderr' ? 'sim: listening on stdio' : text(i < 2 ? 'initialize' : 'tools/call', i >> 1);
    return { seq: i + 1, server: i % 5 === 4 ? 'files' : 'zimoos', direction, at: START + i * 310, method: direction === 'out' ? (i < 2 ? 'initialize' : 'tools/call') : '', id: String(i >> 1), note: i === 21 ? 'late' : '', bytes: t.length, text: t };
  });
}
