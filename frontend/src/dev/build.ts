// Builds the fixture's requests: parts with links, views and rows. Links are made by a small hash, not the real chain.
import type { CarrierView, FrameView, HiddenRun, MessageView, PartView, RecordView, Redline, RequestRow, RequestView, Turn, VerdictView } from '../api/types.gen';
import { FRAMES, SYSTEM, TOOLS, TURNS, type FrameScript, type StepScript } from './script';

/** 64 hex digits that depend on the text. */
export function hash(text: string): string {
  let out = '';
  for (let k = 0; k < 8; k++) {
    let h = 0x811c9dc5 ^ (k * 0x9e3779b1);
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    out += (h >>> 0).toString(16).padStart(8, '0');
  }
  return out;
}

export interface Msg {
  role: string;
  text: string;
  calls: { id: string; name: string; arguments: string }[];
  record: RecordView | null;
  turn: number;
}

export interface Built {
  view: RequestView;
  body: string;
  parts: PartView[];
}

const audit = (f: FrameScript) => `frameCursor=${f.cursor} title="${f.title}" status=idle visible=${f.visible.length} actions=${f.actions.length} handles=${f.handles.length}`;

function recordText(s: StepScript, sealed: boolean): string {
  return [`Action: ${s.tool} ${s.args}`, `Outcome: ${s.outcome}`, ...(s.result ? [`Result: ${s.result}`] : []), `Frame audit: ${audit(FRAMES[s.frame])}`, ...(sealed ? [`Summary: ${s.summary}`] : [])].join('\n');
}

function record(s: StepScript, state: string): RecordView {
  const sealed = state !== 'pending';
  return {
    tool: s.tool, arguments: s.args, outcome: s.outcome, result: s.result ?? '', audit: audit(FRAMES[s.frame]), summary: sealed ? s.summary : '', state,
    source: !sealed ? '' : s.say === '' ? 'narration' : 'narration', grown: state === 'just-sealed' ? s.summary.length + 10 : 0,
  };
}

export function block(f: FrameScript): string {
  const section = (name: string, items: string[]) => (items.length === 0 ? [] : [`${name}: ${items.length}`, ...items.map((i) => `- ${i}`)]);
  return [
    `<zimoos source="zimoos.currentFrame" request_only="true" frame_cursor="${f.cursor}" updated_at="2026-11-30T14:02:41Z" visible_content_count="${f.visible.length}">`,
    `title: ${f.title}`, `frameCursor: ${f.cursor}`, 'status: idle', `summary: ${f.summary}`, `breadcrumb: ${f.crumbs.join(' > ')}`,
    ...section('visibleContent', f.visible), ...section('actions', f.actions), ...section('handles', f.handles), ...section('notifications', f.notices), '</zimoos>',
  ].join('\n');
}

export function frameView(f: FrameScript): FrameView {
  const list = (name: string, items: string[]) => ({ name, total: items.length, leftOut: 0, items });
  return {
    title: f.title, cursor: f.cursor, status: 'idle', summary: f.summary, updatedAt: '', breadcrumb: f.crumbs, budget: '',
    lists: [list('visibleContent', f.visible), list('actions', f.actions), list('handles', f.handles), list('notifications', f.notices)],
  };
}

/** One moment at which a request goes out. */
export interface Moment {
  messages: Msg[];
  frame: FrameScript | null;
  tools: string[];
  kind: 'main' | 'side';
  turn: number;
  hidden: HiddenRun[];
  windowed: boolean;
}

/** All moments of the script, in order; one side request after the silent step, one window move late in turn 2. */
export function moments(): Moment[] {
  const out: Moment[] = [];
  let history: Msg[] = [];
  let frame: FrameScript | null = null;
  let hidden: HiddenRun[] = [];
  let windowed = false;
  const user = (text: string, turn: number): Msg => ({ role: 'user', text, calls: [], record: null, turn });
  TURNS.forEach((turn, t) => {
    history = [...history, user(turn.prompt, t + 1)];
    let open: StepScript | null = null;
    const push = (tools: string[], kind: 'main' | 'side' = 'main') => {
      out.push({ messages: history, frame, tools, kind, turn: t + 1, hidden, windowed });
      windowed = false;
    };
    turn.steps.forEach((s, i) => {
      push([s.tool]);
      if (s.say === '') push([], 'side');
      history = history.map((m) => (m.record?.state === 'pending' && open ? { ...m, text: recordText(open, true), record: record(open, 'sealed') } : m));
      const id = `call_${t}${i}`;
      history = [...history, { role: 'assistant', text: s.say, calls: [{ id, name: s.tool, arguments: s.args }], record: null, turn: t + 1 }, { role: 'tool', text: recordText(s, false), calls: [], record: record(s, 'pending'), turn: t + 1 }];
      frame = FRAMES[s.frame];
      open = s;
      if (t === 1 && i === 2) {
        const gone = history.slice(1, 11);
        hidden = [{ before: 2, messages: gone.length, bytes: gone.reduce((n, m) => n + m.text.length + 90, 0), request: out.length + 1 }];
        history = [history[0], ...history.slice(11)];
        windowed = true;
      }
    });
    push([]);
    history = history.map((m) => (m.record?.state === 'pending' && open ? { ...m, text: recordText(open, true), record: record(open, 'sealed') } : m));
    history = [...history, { role: 'assistant', text: turn.answer, calls: [], record: null, turn: t + 1 }];
  });
  return out;
}

const part = (kind: string, index: number, name: string, text: string, raw: string): PartView => ({
  kind, index, name, server: '', text, whole: true, bytes: raw.length, offset: 0, leaf: hash(kind + raw), link: '', changed: '', claimed: false,
});

function rawMessage(m: Msg): string {
  return JSON.stringify(m.calls.length > 0 ? { role: m.role, tool_calls: m.calls.map((c) => ({ id: c.id, type: 'function', function: { name: c.name.replace('.', '_x2e_'), arguments: c.arguments } })), content: m.text || null } : { role: m.role, content: m.text });
}

export const RULES: Redline[] = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9', 'A11', 'A12', 'A13'].map((id) => ({
  id, ok: id === 'A13' ? null : true, degraded: 0, request: 0, detail: id === 'A13' ? 'skipped: requires mteam backend' : '', words: null,
}));

/** Body and parts of one moment, without its comparison. */
export function assemble(m: Moment): Built {
  const tools = TOOLS.map(([server, name, schema], i) => {
    const raw = JSON.stringify({ type: 'function', function: { name: `${server}__${name.replace('.', '_x2e_')}`, description: `The tool ${name}.`, parameters: JSON.parse(schema) as unknown } });
    return { ...part('tool', i, name, raw, raw), server };
  });
  const model = part('model', 0, 'gpt-4.1', '"gpt-4.1"', '"gpt-4.1"');
  const system = part('message', 0, 'system', SYSTEM, JSON.stringify({ role: 'system', content: SYSTEM }));
  const messages: MessageView[] = m.messages.map((x, i) => ({ ...part('message', i + 1, '', x.text, rawMessage(x)), role: x.role, calls: x.calls, record: x.record, images: 0, pictures: [], blocks: [] }));
  const text = m.frame ? block(m.frame) : '';
  const tail = m.frame ? part('message', messages.length + 1, '', text, JSON.stringify({ role: 'user', content: `The current screen.\n\n${text}` })) : null;
  const chain = [model, ...tools, system, ...messages, ...(tail ? [tail] : [])];
  let link = '';
  for (const p of chain) p.link = link = hash(link + p.leaf);
  const head = '{"model":"gpt-4.1","stream":true,"temperature":0.2,"max_tokens":4096,"tools":[';
  let body = head + tools.map((p) => p.text).join(',') + '],"messages":[';
  body += [JSON.stringify({ role: 'system', content: SYSTEM }), ...m.messages.map(rawMessage), ...(tail ? [JSON.stringify({ role: 'user', content: `The current screen.\n\n${text}` })] : [])].join(',') + ']}';
  let at = 0;
  for (const p of chain) {
    const raw = p.kind === 'message' ? JSON.stringify(p.text).slice(1, 24) : p.text.slice(0, 40);
    const found = body.indexOf(raw, at);
    if (found >= 0) p.offset = at = found;
  }
  const prefix = model.bytes + system.bytes + tools.reduce((n, p) => n + p.bytes, 0);
  const carrier: CarrierView = {
    present: m.frame !== null, index: messages.length + 1, placement: 'own', bytes: tail?.bytes ?? 0, offset: tail?.offset ?? 0, block: text, notices: '',
    frame: m.frame ? frameView(m.frame) : null, previous: '',
  };
  const verdict: VerdictView = { verdict: 'first', planned: true, causes: [], partKind: '', partIndex: 0, path: '', partOffset: 0, bodyOffset: 0, historyLost: 0, before: '', after: '', notes: [], noteWords: [] };
  const row: RequestRow = {
    n: 0, base: 0, kind: m.kind, verdict: 'first', planned: true, staged: false, proof: 'proved', status: 'done', sentAt: 0, millis: 0, attempts: 1, tools: m.tools, bytes: body.length,
    prefix, equal: 0, new: 0, tail: tail?.bytes ?? 0, lost: 0, usage: { reported: true, prompt: Math.round(body.length / 4), cached: 0, cachedSaid: true, completion: 60 }, predicted: null, unpredicted: '', violations: [], error: '', thread: '', turn: 0, method: '', path: '', http: 0,
  };
  const view: RequestView = {
    row, rev: 1, model, tools, system, rest: part('rest', 0, 'rest', 'stream: true\ntemperature: 0.2\nmax_tokens: 4096', '{"stream":true,"temperature":0.2,"max_tokens":4096}'),
    unchanged: 1, messages, history: { from: 0, total: messages.length, index: 1, bytes: messages.reduce((n, x) => n + x.bytes, 0) }, hidden: m.hidden, carrier, verdict, redlines: RULES, foreign: null, predictions: [], diff: null,
  };
  return { view, body, parts: chain };
}

export function turns(list: Moment[]): Turn[] {
  return TURNS.map((t, i) => ({ number: i + 1, request: list.findIndex((m) => m.turn === i + 1) + 1, prompt: t.prompt })).filter((t) => t.request > 0);
}
