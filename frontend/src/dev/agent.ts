// The fixture's session of another agent: two conversations, one of them broken, and something that is not compared.
import type { BlockView, ForeignView, MessageView, RequestRow, RequestView } from '../api/types.gen';
import type { Built } from './build';

const ABOUT: ForeignView = {
  source: 'proxy', dialect: 'messages', method: 'POST', url: 'https://api.anthropic.com/v1/messages', http: 200, firstByte: 412, requestHeaders: [{ name: 'User-Agent', value: 'agent/1.4' }, { name: 'X-Api-Key', value: '[redacted]' }],
  responseHeaders: [{ name: 'Content-Type', value: 'text/event-stream' }], claimed: [{ kind: 'message', index: 1, leaf: 'ab'.repeat(32) }], notes: ['the response is not whole'],
  inferred: [{ cause: 'time-in-system', evidence: '"2026-11-30 14:02" became "2026-11-30 14:03"', words: null, partKind: 'system', partIndex: 0, path: '$.system[0].text', partOffset: 31, bodyOffset: 48 }],
  conversation: 'session-7', how: 'history', told: false, model: 'claude-opus-5', proofNote: '',
};

const block = (kind: string, text: string, more: Partial<BlockView> = {}): BlockView => ({ kind, text, bytes: text.length, whole: true, name: '', id: '', media: '', failed: false, hidden: false, ...more });

const BLOCKS: BlockView[][] = [
  [block('text', 'What is in a.txt?'), block('image', '', { media: 'image/png', bytes: 18_211 })],
  [block('reasoning', 'I read the file first.'), block('call', '{"path":"a.txt"}', { name: 'read_file', id: 't1' })],
  [block('result', 'No such file', { name: 'read_file', id: 't1', failed: true })],
  [block('reasoning', '', { hidden: true, bytes: 812 }), block('text', 'There is no a.txt here.')],
];

function foreign(b: Built, i: number, count: number): void {
  const v: RequestView = b.view;
  const row: RequestRow = v.row;
  const other = i === 3;
  Object.assign(row, { thread: other ? '' : i % 3 === 2 ? 'c2' : 'c1', turn: i < 5 ? 1 : 2, planned: null, proof: i === 1 ? 'claimed' : 'proved', kind: other ? 'other' : i === 4 ? 'retry' : 'main' });
  if (other) Object.assign(row, { method: 'POST', path: '/v1/messages/count_tokens', http: 200, verdict: '' });
  v.foreign = { ...ABOUT, inferred: i === count - 1 ? ABOUT.inferred : [], claimed: i === 1 ? ABOUT.claimed : [] };
  v.carrier = { ...v.carrier, present: false, frame: null };
  v.messages = other ? [] : v.messages.slice(0, BLOCKS.length).map((m, k): MessageView => ({ ...m, role: ['user', 'assistant', 'tool', 'assistant'][k], record: null, calls: [], blocks: BLOCKS[k], claimed: i === 1 && k === 1 }));
  v.history = { from: 0, total: v.messages.length, index: 1, bytes: v.messages.reduce((n, m) => n + m.bytes, 0) };
}

/** Makes a prepared session one of another agent. */
export function asAgent(list: Built[]): void {
  list.forEach((b, i) => foreign(b, i, list.length));
}
