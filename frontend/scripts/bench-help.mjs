// What the measurements ask of the system and of the program beside the page.
import { readFileSync } from 'node:fs';

/** Milliseconds between two looks at whether the session rests. */
const LOOK_MS = 20;

/** Bytes that the largest renderer process of a browser holds. */
export async function residentOf(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const held = processInfo.filter((p) => p.type === 'renderer').map((p) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${p.id}/status`, 'utf8'))?.[1] ?? 0) * 1024);
  return Math.max(...held);
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
