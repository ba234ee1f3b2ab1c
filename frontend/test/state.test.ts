import { describe, expect, it } from 'vitest';
import type { DiffView, RequestView, Timeline } from '../src/api/types.gen';
import { arrive, baseOf, cameWith, choose, diffOf, NO_CHOICE, setFollow } from '../src/model/choice';
import { accept, EVERYTHING } from '../src/model/inbox';
import { commandOfKey } from '../src/model/keys';
import { clampSize, readPrefs, systemLang } from '../src/model/prefs';
import { byId, redlineState, tally } from '../src/model/redlines';
import { modeOf } from '../src/model/run';
import { row } from './rows';

const timeline = (n: number, session = 's') => ({ session, rows: Array.from({ length: n }, (_, i) => row({ n: i + 1 })) }) as unknown as Timeline;
const watch = { session: 's', n: 3, base: { session: 's', n: 2 } };
const event = (seq: number, topic: string, id = 's') => ({ seq, topic, id, rev: 1 });

describe('events', () => {
  it('changes nothing for what the snapshot already includes', () => {
    expect(accept(4, 5, event(5, 'state'), watch)).toEqual({ seq: 5, stale: [] });
    expect(accept(4, 5, event(5, 'sessions'), watch)).toEqual({ seq: 5, stale: [] });
  });

  it('pulls what the snapshot does not hold, though its number is higher: the event came late', () => {
    expect(accept(4, 9, event(5, 'timeline'), watch)).toEqual({ seq: 5, stale: ['timeline'] });
    expect(accept(4, 9, event(5, 'request', 's/3'), watch).stale).toEqual(['timeline', 'view', 'diff']);
  });

  it('pulls everything after a gap, also below the number of a snapshot', () => {
    expect(accept(5, 0, event(7, 'live'), watch)).toEqual({ seq: 7, stale: EVERYTHING });
    expect(accept(5, 9, event(7, 'state'), watch)).toEqual({ seq: 7, stale: EVERYTHING });
  });

  it('pulls only what an event touches', () => {
    expect(accept(5, 5, event(6, 'request', 's/3'), watch).stale).toEqual(['timeline', 'view', 'diff']);
    expect(accept(5, 5, event(6, 'request', 's/2'), watch).stale).toEqual(['timeline', 'diff']);
    expect(accept(5, 5, event(6, 'request', 's/9'), watch).stale).toEqual(['timeline']);
    expect(accept(5, 5, event(6, 'live', 'other'), watch).stale).toEqual([]);
    expect(accept(5, 5, event(6, 'a topic of later'), watch).stale).toEqual(EVERYTHING);
  });
});

describe('the chosen request', () => {
  it('follows the newest until an older one is picked', () => {
    let c = arrive(NO_CHOICE, timeline(3));
    expect([c.n, c.follow]).toEqual([3, true]);
    c = arrive(c, timeline(4));
    expect(c.n).toBe(4);
    c = choose(c, 2, timeline(4));
    expect(arrive(c, timeline(5)).n).toBe(2);
    c = setFollow(c, true, timeline(5));
    expect([c.n, c.follow]).toEqual([5, true]);
  });

  it('falls back when an abandoned request took its number with it, and starts anew in another session', () => {
    const c = choose({ ...arrive(NO_CHOICE, timeline(5)), follow: false }, 5, timeline(5));
    expect(arrive(c, timeline(4)).n).toBe(4);
    expect(arrive(c, timeline(2, 'other'))).toEqual({ session: 'other', n: 2, follow: true, base: null });
  });

  it('compares with the predecessor unless another base was picked, and never with a view of another request', () => {
    const c = arrive(NO_CHOICE, timeline(5));
    const view = { row: row({ n: 5, base: 3 }) } as RequestView;
    expect(diffOf(c, view)?.base.n).toBe(3);
    expect(diffOf({ ...c, base: { session: 't', n: 1 } }, view)?.base).toEqual({ session: 't', n: 1 });
    expect(diffOf({ ...c, n: 4 }, view)).toBeNull();
    expect(diffOf(c, { ...view, row: row({ n: 5 }) })).toBeNull();
  });

  it('takes the diff that came with a view, unless another base was picked', () => {
    const c = arrive(NO_CHOICE, timeline(5));
    const diff = { base: { session: 's', n: 3 }, next: { session: 's', n: 5 } } as DiffView;
    const view = { row: row({ n: 5, base: 3 }), diff } as RequestView;
    expect(cameWith(c, view)).toBe(diff);
    expect(cameWith({ ...c, base: { session: 's', n: 1 } }, view)).toBeNull();
    expect(cameWith({ ...c, base: { session: 't', n: 3 } }, view)).toBeNull();
    expect(cameWith({ ...c, n: 4 }, view)).toBeNull();
    expect(cameWith(c, { ...view, diff: null })).toBeNull();
  });

  it('marks the base in the timeline: the predecessor, or the picked one if it is of this session', () => {
    const t = { ...timeline(3), rows: [row({ n: 1 }), row({ n: 2, base: 1 }), row({ n: 3, base: 1 })] };
    const c = arrive(NO_CHOICE, t);
    expect([baseOf(c, t), baseOf({ ...c, n: 1 }, t), baseOf({ ...c, base: { session: 's', n: 2 } }, t), baseOf({ ...c, base: { session: 't', n: 2 } }, t)]).toEqual([1, 0, 2, 0]);
  });
});

describe('keyboard', () => {
  const key = (k: string, more = {}) => commandOfKey({ key: k, ctrl: false, shift: false, alt: false, typing: false, ...more });

  it('leaves letters to a text that is being written', () => {
    expect(key('j')).toBe('down');
    expect(key('j', { typing: true })).toBeUndefined();
    expect(key('?', { shift: true })).toBe('help');
    expect(key('j', { ctrl: true })).toBeUndefined();
  });

  it('answers to function keys and the palette everywhere', () => {
    expect(key('F10', { typing: true })).toBe('step');
    expect(key('F5', { shift: true })).toBe('stop');
    expect(key('K', { ctrl: true, typing: true })).toBe('palette');
    expect(key('F6', { shift: true })).toBe('region-back');
  });
});

describe('what is remembered', () => {
  it('survives anything that was written before', () => {
    for (const text of [null, '', 'nonsense', '[]', 'null', '{"theme":"pink","prefix":"wide","timeline":1e9}']) {
      const p = readPrefs(text);
      expect(p.theme).toBe('system');
      expect(p.timeline).toBeLessThanOrEqual(560);
    }
    expect(readPrefs('{"lang":"zh","prefixFolded":true}').prefixFolded).toBe(true);
    expect([readPrefs(null).drawer, readPrefs(null, 900).drawer, readPrefs(null, 1440).drawer, readPrefs('{"drawer":300}', 1440).drawer]).toEqual([276, 276, 432, 300]);
    expect(clampSize('drawer', 3)).toBe(140);
  });

  it('takes the first language there are words for', () => {
    expect(systemLang(['fr-FR', 'zh-Hans-CN', 'en'])).toBe('zh');
    expect(systemLang([])).toBe('en');
  });
});

describe('run and redlines', () => {
  const session = { readOnly: false, foreign: '' } as never;
  it('tells the modes apart', () => {
    expect(modeOf(undefined, undefined)).toBe('none');
    expect(modeOf({ phase: 'idle', staged: false } as never, session)).toBe('idle');
    expect(modeOf({ phase: 'tool', staged: false } as never, session)).toBe('running');
    expect(modeOf({ phase: 'building', staged: true } as never, session)).toBe('paused');
    expect(modeOf({ phase: 'idle', staged: false } as never, { readOnly: true, foreign: '' } as never)).toBe('read-only');
  });

  it('counts degraded as passing, and what cannot be checked as neither', () => {
    const list = [{ id: 'A1', ok: true, degraded: 0, request: 0, detail: '', words: null }, { id: 'A6', ok: true, degraded: 2, request: 0, detail: '', words: null }, { id: 'A9', ok: false, degraded: 0, request: 4, detail: '', words: null }];
    expect(list.map(redlineState)).toEqual(['pass', 'degraded', 'fail']);
    expect(redlineState(byId(list, 'A13'))).toBe('skip');
    expect(tally(list)).toEqual({ pass: 2, fail: 1, of: 12 });
  });
});
