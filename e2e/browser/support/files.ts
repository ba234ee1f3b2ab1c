// Invented traffic of other agents, as files.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

export interface Body {
  model: string;
  tools?: unknown[];
  messages: Record<string, unknown>[];
}

const TOOLS = ['read_file', 'write_file'].map((name) => ({ type: 'function', function: { name, description: `The tool ${name}.`, parameters: { type: 'object', properties: { path: { type: 'string' } } } } }));

/** One conversation: each request has a call and its result more than the one before; those from `first` on are given. */
export function conversation(name: string, requests: number, change: (n: number, m: Record<string, unknown>[]) => void = () => undefined, first = 1): Body[] {
  const messages: Record<string, unknown>[] = [{ role: 'system', content: 'You are a careful agent.' }, { role: 'user', content: `Tidy the folder ${name} and say what you did.` }];
  const list: Body[] = [];
  for (let n = 1; n <= requests; n++) {
    change(n, messages);
    if (n >= first) list.push({ model: 'gpt-5.4', tools: TOOLS, messages: structuredClone(messages) });
    messages.push({ role: 'assistant', content: null, tool_calls: [{ id: `${name}-${n}`, type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path: `${name}/${n}.md` }) } }] });
    messages.push({ role: 'tool', tool_call_id: `${name}-${n}`, content: `# Note ${n} of ${name}\nSome text of the note.` });
  }
  return list;
}

/** Writes bodies as JSON lines and gives the path. */
export function jsonl(folder: string, name: string, bodies: readonly Body[]): string {
  const path = join(folder, name);
  writeFileSync(path, bodies.map((b) => JSON.stringify(b) + '\n').join(''));
  return path;
}

/** Unpacks a ZIP into a folder, by its central directory. */
export function unzip(path: string, folder: string): void {
  const raw = readFileSync(path);
  const end = raw.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = raw.readUInt32LE(end + 16);
  for (let n = raw.readUInt16LE(end + 10); n > 0; n--) {
    const [method, packed] = [raw.readUInt16LE(at + 10), raw.readUInt32LE(at + 20)];
    const [nameLength, extra, comment, local] = [raw.readUInt16LE(at + 28), raw.readUInt16LE(at + 30), raw.readUInt16LE(at + 32), raw.readUInt32LE(at + 42)];
    const name = raw.toString('utf8', at + 46, at + 46 + nameLength);
    const start = local + 30 + raw.readUInt16LE(local + 26) + raw.readUInt16LE(local + 28);
    const data = raw.subarray(start, start + packed);
    const to = join(folder, name);
    mkdirSync(dirname(to), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(to, method === 0 ? data : inflateRawSync(data));
    at += 46 + nameLength + extra + comment;
  }
}
