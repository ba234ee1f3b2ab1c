// The sessions and texts that the window is measured on. Long ones are written once and kept in the temporary folder.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folder, PROGRAM } from './driver.mjs';

/** The folder of a session that our own agent made, written by the built e2e/browser/make. */
export function longData(make, requests) {
  const data = join(tmpdir(), `zimoscope-bench-ui-${requests}`);
  if (existsSync(join(data, 'done'))) return data;
  console.log(`writing a session of ${requests} requests; it is kept in ${data}`);
  mkdirSync(data, { recursive: true });
  const made = spawnSync(make, ['-data', data, '-requests', String(requests)], { stdio: 'inherit' });
  if (made.status !== 0) throw new Error('the session could not be written');
  writeFileSync(join(data, 'done'), '');
  return data;
}

/** Conversations of an imported session, and what each of their steps adds. */
const STEPS = 60;
const STEP_MESSAGES = 5;
const STEP_TEXT = 200;

/** An imported session of as many requests: conversations of another agent, one after the other, from one file. */
export function foreignData(requests) {
  const data = join(tmpdir(), `zimoscope-bench-ui-foreign-${requests}`);
  if (existsSync(join(data, 'done'))) return data;
  console.log(`importing a session of ${requests} requests; it is kept in ${data}`);
  rmSync(data, { recursive: true, force: true });
  const path = join(folder, 'foreign.jsonl');
  const file = openSync(path, 'w');
  let messages = [];
  for (let n = 0; n < requests; n++) {
    if (n % STEPS === 0) messages = [JSON.stringify({ role: 'system', content: `You are agent ${n / STEPS}.` })];
    for (let i = 0; i < STEP_MESSAGES; i++) messages.push(JSON.stringify({ role: i === 0 ? 'user' : 'assistant', content: `${n}.${i} ${text(STEP_TEXT, n * STEP_MESSAGES + i + 1)}` }));
    writeSync(file, `{"model":"m","messages":[${messages.join(',')}]}\n`);
  }
  closeSync(file);
  const from = performance.now();
  const made = spawnSync(PROGRAM, ['import', path, '--session', 'Long', '--data', data], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (made.status !== 0) throw new Error('the session could not be imported');
  console.log(`imported in ${((performance.now() - from) / 1000).toFixed(1)} s`);
  rmSync(path);
  writeFileSync(join(data, 'done'), '');
  return data;
}

/** Text that does not repeat itself. */
export function text(bytes, seed) {
  const words = [];
  for (let size = 0, x = seed; size < bytes; ) {
    x = (x * 1103515245 + 12345) % 2147483648;
    const word = `w${x.toString(36)}`;
    words.push(word);
    size += word.length + 1;
  }
  return words.join(' ');
}

/** Messages of one body: the system's, then so many of such a size. */
export function bodies(messages, each) {
  const list = [{ role: 'system', content: 'You are a careful agent.' }];
  for (let i = 0; i < messages; i++) list.push({ role: i % 2 === 0 ? 'user' : 'assistant', content: text(each, i + 1) });
  return list;
}
