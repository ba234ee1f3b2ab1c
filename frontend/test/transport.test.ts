import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { http, takeToken } from '../src/transport/http';
import { MAPS, normalise, SLICES } from '../src/transport/normalise';
import { SseParser } from '../src/transport/sse';
import { decodeEvent, isWails, wails } from '../src/transport/wails';

describe('empty lists', () => {
  it('are lists at any depth, and a tool’s own schema is left alone', () => {
    const got = normalise({ rows: null, view: [{ calls: null, planned: null }], schema: { items: null }, verdicts: null });
    expect(got).toEqual({ rows: [], view: [{ calls: [], planned: null }], schema: { items: null }, verdicts: {} });
  });

  it('are known for every list and map of the generated types', () => {
    const types = readFileSync('src/api/types.gen.ts', 'utf8').replace(/interface RowColumns \{[^}]*\}/, ''); // read by rowsOf
    const found = (re: RegExp) => [...new Set([...types.matchAll(re)].map((m) => m[1]).filter((n) => /^[a-z]/.test(n)))].sort();
    expect(found(/^\s*(\w+)\??: [^;]*\[\]/gm)).toEqual([...SLICES].sort());
    expect(found(/^\s*(\w+)\??: (?:Record<|\{ \[)/gm)).toEqual([...MAPS].sort());
  });
});

describe('server-sent events', () => {
  it('are put together from chunks cut anywhere, with any line ends', () => {
    const text = ': hello\n\ndata: {"seq":1}\n\nevent: x\r\ndata: a\r\ndata:b\r\n\r\ndata: 周\n\n';
    for (const size of [1, 2, 3, 7, 100]) {
      const p = new SseParser();
      const out: string[] = [];
      for (let i = 0; i < text.length; i += size) out.push(...p.feed(text.slice(i, i + size)));
      expect(out).toEqual(['{"seq":1}', 'a\nb', '周']);
    }
  });
});

describe('the token', () => {
  it('leaves the address for the memory of this tab', () => {
    const replaceState = vi.fn();
    window.sessionStorage.clear();
    const loc = { hash: '#token=a%2Bb', pathname: '/', search: '?x' } as Location;
    expect(takeToken(loc, { replaceState } as unknown as History, window.sessionStorage)).toBe('a+b');
    expect(replaceState).toHaveBeenCalledWith(null, '', '/?x');
    expect(takeToken({ ...loc, hash: '' }, { replaceState } as unknown as History, window.sessionStorage)).toBe('a+b');
  });
});

describe('calls over HTTP', () => {
  const answer = (status: number, body: string) => vi.fn(async (...request: [string, RequestInit?]) => new Response(request.length > 0 ? body : '', { status }));

  it('post the arguments as a list, with the token in a header', async () => {
    const f = answer(200, '{"rows":{"n":[1],"tools":null},"turns":null}');
    const got = await http('secret', f as unknown as typeof fetch).service.timelineSince('s', 7);
    expect([got.rows.length, got.rows[0].tools, got.turns]).toEqual([1, [], []]);
    const [url, init] = f.mock.calls[0];
    expect(url).toBe('/api/TimelineSince');
    expect(init?.body).toBe('["s",7]');
    expect(init?.headers).toMatchObject({ 'X-ZimoScope-Token': 'secret' });
  });

  it('reject with the program’s own sentence', async () => {
    await expect(http('t', answer(409, '{"error":"The agent is running."}') as unknown as typeof fetch).service.stop()).rejects.toThrow('The agent is running.');
    await expect(http('t', answer(500, '<html>') as unknown as typeof fetch).service.stop()).rejects.toThrow('500');
    await expect(http('t', vi.fn(async () => Promise.reject(new TypeError('x'))) as unknown as typeof fetch).service.stop()).rejects.toThrow('does not answer');
  });

  it('say that events may be missing when the stream was down', async () => {
    const links: string[] = [];
    const body = () => new Response('data: {"seq":4,"topic":"state","id":"","rev":1}\n\n');
    const seen: number[] = [];
    let stop: () => void = () => undefined;
    await new Promise<void>((done) => {
      stop = http('t', (async () => body()) as unknown as typeof fetch).subscribe(() => 3, (e) => seen.push(e.seq), (s) => {
        links.push(s);
        if (links.length === 2) done();
      });
    });
    stop();
    expect(links).toEqual(['up', 'lost']);
    expect(seen[0]).toBe(4);
  });
});

describe('the window’s bindings', () => {
  it('take and give JSON, and pass on a refusal', async () => {
    const Call = vi.fn(async (...call: [string, string]) => (call[0] === 'Tools' ? 'null' : Promise.reject('No session is open.')));
    const w = { go: { window: { Facade: { Call } } }, runtime: { EventsOn: () => () => undefined } };
    expect(isWails(w)).toBe(true);
    expect(isWails({})).toBe(false);
    expect(await wails(w).service.tools()).toEqual([]);
    expect(Call).toHaveBeenCalledWith('Tools', '[]');
    await expect(wails(w).service.stop()).rejects.toThrow('No session is open.');
  });

  it('drop what is no event', () => {
    expect(decodeEvent('{"seq":1,"topic":"state","id":"","rev":0}')?.seq).toBe(1);
    expect(decodeEvent('nonsense')).toBeUndefined();
    expect(decodeEvent(null)).toBeUndefined();
  });
});
