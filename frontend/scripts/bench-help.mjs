// What the measurements ask of the system and of the program beside the page.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds between two looks at whether the session rests. */
const LOOK_MS = 20;

/** A browser that shows one page and that nobody debugs: what a debugger keeps of each answer would count as the page's. */
export function bareBrowser(program, args, folder, url) {
  const child = spawn(program, ['--headless=new', ...args, `--user-data-dir=${folder}`, '--window-size=1440,900', url], { stdio: 'ignore' });
  return { resident: () => Math.max(0, ...family(child.pid).filter((p) => p.command.includes('--type=renderer')).map((p) => p.resident)), end: () => child.kill('SIGTERM') };
}

/** The processes below one, with the bytes that each holds. */
function family(root) {
  const all = readdirSync('/proc').filter((x) => /^\d+$/.test(x)).flatMap((id) => {
    try {
      const status = readFileSync(`/proc/${id}/status`, 'utf8');
      return [{ id: Number(id), parent: Number(/PPid:\s+(\d+)/.exec(status)?.[1]), resident: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024, command: readFileSync(`/proc/${id}/cmdline`, 'utf8') }];
    } catch {
      return []; // it ended meanwhile
    }
  });
  const found = new Set([root]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const p of all) if (found.has(p.parent) && !found.has(p.id)) grew = !!found.add(p.id);
  }
  return all.filter((p) => found.has(p.id));
}

/** Listens to the events of the program beside the page and counts them. */
export function countEvents(address) {
  const [base, token] = address.split('/#token=');
  const headers = { 'X-ZimoScope-Token': token, 'Content-Type': 'application/json' };
  const stop = new AbortController();
  let count = 0;
  const call = async (method, ...args) => {
    const answer = await fetch(`${base}/api/${method}`, { method: 'POST', headers, body: JSON.stringify(args) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
  const listen = async () => {
    for (let after = 0; !stop.signal.aborted; ) {
      const answer = await fetch(`${base}/api/events?after=${after}`, { headers, signal: stop.signal });
      let rest = '';
      for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
        const parts = (rest + chunk).split('\n\n');
        rest = parts.pop();
        for (const part of parts) {
          const seq = /"seq":(\d+)/.exec(part);
          if (!seq) continue;
          count++;
          after = Number(seq[1]);
        }
      }
    }
  };
  listen().catch(() => undefined);
  return {
    call,
    count: () => count,
    stop: () => stop.abort(),
    async idle() {
      for (;;) {
        if ((await call('Snapshot')).state.phase === 'idle') return;
        await new Promise((done) => setTimeout(done, LOOK_MS));
      }
    },
  };
}
