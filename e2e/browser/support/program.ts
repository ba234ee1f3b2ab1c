// The built program as a process of its own, each with a store of its own.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Milliseconds for the program to print its address. */
const START_MS = 30_000;

export function programPath(): string {
  const path = process.env.ZIMOSCOPE_PROGRAM;
  if (!path) throw new Error('ZIMOSCOPE_PROGRAM does not name the built program; make test-browser does.');
  return path;
}

export interface Running {
  url: string;
  child: ChildProcess;
  end(): Promise<void>;
}

function environment(more: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ZIMOSCOPE_DEMO_FAST: '1', OPENAI_API_KEY: '', ...more };
}

/** Starts the program and waits for the address that it prints. */
export async function start(args: string[], env: Record<string, string> = {}): Promise<Running> {
  const child = spawn(programPath(), args, { stdio: ['ignore', 'pipe', 'inherit'], env: environment(env) });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  };
  const url = await address(child).catch(async (e: unknown) => {
    await end();
    throw e;
  });
  child.stdout?.resume();
  return { url, child, end };
}

function address(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const late = setTimeout(() => reject(new Error(`no address within ${START_MS} ms: ${text}`)), START_MS);
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const found = /https?:\/\/\S+/.exec(text);
      if (!found) return;
      clearTimeout(late);
      resolve(found[0]);
    });
    child.on('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`the program ended with ${code} before it printed an address: ${text}`));
    });
  });
}

/** Runs one command to its end and gives what it printed. */
export async function command(args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(programPath(), args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment(env) });
  let out = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (c: string) => (out += c));
  child.stderr.setEncoding('utf8').on('data', (c: string) => (said += c));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`zimoscope ${args.join(' ')}: ${code}\n${said}`);
  return out;
}
