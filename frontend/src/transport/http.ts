// The transport of `zimoscope serve`: calls by POST, events by a fetched stream, both with the token in a header.
import type { Backend, LinkState } from '../api/service';
import type { Event } from '../api/types.gen';
import { OWN } from '../i18n/own';
import { copyInPage } from './clipboard';
import { service, type Call } from './client';
import { SseParser } from './sse';
import { decodeEvent } from './wails';

const TOKEN_HEADER = 'X-ZimoScope-Token';
const TOKEN_KEY = 'zimoscope.token';

/** Milliseconds before a lost event stream is tried again: soon at first, then calmly. */
export const RETRY_MS = [250, 1000, 3000, 5000] as const;

/** Takes the token out of the address, so that it is neither shared with the address nor left in the history. */
export function takeToken(loc: Location, history: History, store: Storage): string {
  const found = /(?:^#|&)token=([^&]*)/.exec(loc.hash);
  if (found) {
    const token = decodeURIComponent(found[1]);
    store.setItem(TOKEN_KEY, token);
    history.replaceState(null, '', loc.pathname + loc.search);
    return token;
  }
  return store.getItem(TOKEN_KEY) ?? '';
}

export function http(token: string, fetcher: typeof fetch = fetch.bind(globalThis)): Backend {
  const call: Call = async (method, args) => {
    let answer: Response;
    try {
      answer = await fetcher(`/api/${method}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', [TOKEN_HEADER]: token },
        body: JSON.stringify(args),
      });
    } catch {
      throw new Error(OWN['own.silent']);
    }
    const text = await answer.text();
    if (!answer.ok) throw new Error(sentence(text) ?? refused(answer.status));
    return text.trim() === '' ? null : JSON.parse(text);
  };
  return {
    service: service(call),
    subscribe: (after, onEvent, onLink) => listen(fetcher, token, after, onEvent, onLink),
    copy: copyInPage,
    send: (upload, file, onSent, stop) => send(token, upload, file, onSent, stop),
    download,
    dropped: null,
  };
}

/** Sends a file as it is read. By XMLHttpRequest: fetch does not tell how far it is. */
function send(token: string, upload: string, file: File, onSent: (bytes: number) => void, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const r = new XMLHttpRequest();
    r.open('PUT', `/api/upload/${upload}?name=${encodeURIComponent(file.name)}`);
    r.setRequestHeader(TOKEN_HEADER, token);
    r.upload.onprogress = (e) => onSent(e.loaded);
    r.onload = () => (r.status < 300 ? resolve() : reject(new Error(sentence(r.responseText) ?? refused(r.status))));
    r.onerror = () => reject(new Error(OWN['own.silent']));
    r.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'));
    stop.addEventListener('abort', () => r.abort());
    r.send(file);
  });
}

/** The browser fetches and writes the file itself: the address is good for one time. */
function download(address: string): void {
  const a = document.createElement('a');
  a.href = address;
  a.download = '';
  document.body.append(a);
  a.click();
  a.remove();
}

const refused = (status: number) => OWN['own.refused'].replace('{status:d}', String(status));

function sentence(text: string): string | undefined {
  try {
    const said = (JSON.parse(text) as { error?: unknown }).error;
    return typeof said === 'string' && said !== '' ? said : undefined;
  } catch {
    return undefined;
  }
}

function listen(
  fetcher: typeof fetch,
  token: string,
  after: () => number,
  onEvent: (e: Event) => void,
  onLink: (s: LinkState) => void,
): () => void {
  const stop = new AbortController();
  const run = async () => {
    for (let tries = 0, first = true; !stop.signal.aborted; ) {
      const got = await stream(fetcher, token, after(), stop.signal, onEvent, () => {
        onLink(first ? 'up' : 'lost');
        first = false;
        tries = 0;
      });
      if (stop.signal.aborted) return;
      if (!got) onLink('down');
      await pause(RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)], stop.signal);
    }
  };
  void run();
  return () => stop.abort();
}

/** Reads one stream to its end. True when it was open at all. */
async function stream(
  fetcher: typeof fetch,
  token: string,
  after: number,
  signal: AbortSignal,
  onEvent: (e: Event) => void,
  onOpen: () => void,
): Promise<boolean> {
  let open = false;
  try {
    const answer = await fetcher(`/api/events?after=${after}`, { headers: { [TOKEN_HEADER]: token }, signal });
    if (!answer.ok || !answer.body) return false;
    open = true;
    onOpen();
    const parser = new SseParser();
    const decoder = new TextDecoder();
    for (const reader = answer.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const data of parser.feed(decoder.decode(value, { stream: true }))) {
        const event = decodeEvent(data);
        if (event) onEvent(event);
      }
    }
  } catch {
    // the connection ended: the caller tries again and pulls what was missed
  }
  return open;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
