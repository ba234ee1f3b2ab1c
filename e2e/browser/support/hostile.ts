// Text that would do harm if anything but drew it as text, and a server and files that are full of it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Body } from './files';

const SCRIPT = '</script><script>window.pwned=1</script>';
const IMAGE = '"><img src=x onerror="window.pwned=2"><svg onload="window.pwned=3">';
const FRAME = '<iframe srcdoc="<script>parent.pwned=4</script>"></iframe><a href="javascript:window.pwned=5">open</a>';
const LINKS = '[click](javascript:window.pwned=6) <https://example.invalid/?leak> ![x](https://example.invalid/pixel.png)';
const BIDI = 'safe\u202egnp.exe\u202c \u2066left\u2069 zero\u200bwidth \u0007\u001b[31mred\u001b[0m \ufeffmark';
const TEMPLATE = '${window.pwned=7} {{constructor.constructor("window.pwned=8")()}} __proto__ \u2028line\u2029';
const STYLE = '<style>*{display:none!important}</style><base href="https://example.invalid/"><meta http-equiv="refresh" content="0;url=https://example.invalid/">';

export const HOSTILE = [SCRIPT, IMAGE, FRAME, LINKS, BIDI, TEMPLATE, STYLE].join(' ');
/** One word without a place to break it. */
export const HUGE = 'W'.repeat(200_000);
/** Characters that change how their neighbours are drawn: none may reach the screen as it is. */
export const UNSEEN = /[\u202a-\u202e\u2066-\u2069\u200b\ufeff\u0007\u001b]/;

const call = (id: string, name: string, args: string) => ({ id, type: 'function', function: { name, arguments: args } });

/** Requests with the text in every place that the format has. */
export function hostileBodies(): Body[] {
  const tool = { type: 'function', function: { name: HOSTILE, description: HOSTILE, parameters: { type: 'object', properties: { [HOSTILE]: { type: 'string', description: HOSTILE } } } } };
  const messages: Record<string, unknown>[] = [{ role: 'system', content: HOSTILE, name: HOSTILE }, { role: 'user', content: [{ type: 'text', text: HOSTILE }, { type: 'image_url', image_url: { url: 'https://example.invalid/pixel.png' } }, { type: HOSTILE, [HOSTILE]: HOSTILE }] }];
  const list: Body[] = [];
  const ask = () => list.push({ model: HOSTILE, tools: [tool], messages: structuredClone(messages), [HOSTILE]: HOSTILE } as unknown as Body);
  ask();
  messages.push({ role: 'assistant', content: HOSTILE, reasoning_content: HOSTILE, tool_calls: [call(HOSTILE, HOSTILE, JSON.stringify({ [HOSTILE]: HOSTILE }))] }, { role: 'tool', tool_call_id: HOSTILE, content: HOSTILE });
  ask();
  messages.push({ role: HOSTILE, content: HOSTILE }, { role: 'scrim top', content: HOSTILE }, { role: 'user', content: HUGE });
  ask();
  messages[0] = { role: 'system', content: `${HOSTILE}!` };
  ask();
  return list;
}

/** A HAR whose every text is hostile: addresses, headers, answers. */
export function hostileHar(folder: string): string {
  const entries = hostileBodies().map((body, i) => ({
    startedDateTime: new Date(Date.UTC(2026, 10, 30, 10, 0, i)).toISOString(), time: 5,
    request: { method: 'POST', url: `https://api.openai.com/v1/chat/completions?x=${encodeURIComponent(HOSTILE)}`, headers: [{ name: 'User-Agent', value: HOSTILE }], postData: { mimeType: HOSTILE, text: JSON.stringify(body) } },
    response: { status: 200, statusText: HOSTILE, headers: [{ name: 'X-Text', value: HOSTILE }], content: { mimeType: 'application/json', text: JSON.stringify({ id: HOSTILE, model: HOSTILE, choices: [{ message: { role: 'assistant', content: HOSTILE }, finish_reason: HOSTILE }] }) } },
  }));
  const path = join(folder, 'hostile.har');
  writeFileSync(path, JSON.stringify({ log: { version: '1.2', creator: { name: HOSTILE, version: '1' }, entries } }));
  return path;
}

/** An MCP server on stdio whose tools, results and frames are hostile. Gives the path of its program. */
export function hostileServer(folder: string): string {
  const frame = (n: number) => ({
    protocol: 'zimoos/os-frame', version: '1', frameCursor: `c${n}`, title: HOSTILE, status: 'idle', summary: HOSTILE, breadcrumb: [HOSTILE, HOSTILE],
    visibleContent: [{ itemId: 'x1', title: HOSTILE, content: HOSTILE, kind: HOSTILE }, { itemId: 'x2', title: HUGE.slice(0, 5000), content: '' }],
    shortcuts: [{ cmd: `open ${HOSTILE}`, label: HOSTILE, risk: HOSTILE }], handles: [{ id: HOSTILE, label: HOSTILE }], notifications: [{ app: HOSTILE, text: HOSTILE }],
  });
  const data = { frames: [frame(1), frame(2)], tools: ['zimoos.current', 'zimoos.act', 'zimoos.search'].map((name) => ({ name, description: HOSTILE, inputSchema: { type: 'object', properties: { cmd: { type: 'string', description: HOSTILE }, frameCursor: { type: 'string' } } } })) };
  const path = join(folder, 'server.mjs');
  writeFileSync(path, `import { createInterface } from 'node:readline';
const data = ${JSON.stringify(data).replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`)};
let n = 0;
const answer = {
  initialize: (p) => ({ protocolVersion: p.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'hostile', version: '1' } }),
  'tools/list': () => ({ tools: data.tools }),
  'tools/call': () => ({ content: [{ type: 'text', text: JSON.stringify(data.frames[n++ % 2]) }] }),
  ping: () => ({}),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const m = JSON.parse(line);
  if (m.id === undefined) return;
  const f = answer[m.method];
  console.log(JSON.stringify(f ? { jsonrpc: '2.0', id: m.id, result: f(m.params ?? {}) } : { jsonrpc: '2.0', id: m.id, error: { code: -32601, message: 'unknown' } }));
});
`);
  return path;
}
