import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Hunk, Redline, VerdictView } from '../src/api/types.gen';
import { goTo, partOf } from '../src/model/hunks';
import { commandOfKey } from '../src/model/keys';
import { placeOf } from '../src/model/redlines';
import { jump } from '../src/state/actions';
import { get, INITIAL, set } from '../src/state/store';
import { Hunks } from '../src/ui/drawer/Hunks';

beforeEach(() => set({ ...INITIAL, prefs: { ...INITIAL.prefs, lang: 'en' } }, true));
afterEach(cleanup);

const first = { partKind: 'tool', partIndex: 0, path: '$.tools[0].function.name' } as VerdictView;
const fails = (id: string, detail: string, words: Redline['words'] = null): Redline => ({ id, ok: false, detail, words, degraded: 0, request: 1 }) as Redline;
const words = (code: string, texts: Record<string, string>, numbers: Record<string, number> = {}, inner: Record<string, unknown> = {}) => ({ code, texts, numbers, inner }) as Redline['words'];

describe('the place of a failing redline', () => {
  it('is that of the part it fails in, not of the first difference', () => {
    const a1 = fails('A1', 'x', words('verdict.a1-unannounced', { path: '$.messages[0].content' }));
    expect(placeOf(a1, first)).toEqual({ kind: 'message', index: 0, path: '$.messages[0].content' });
    const inside = fails('A5', 'x', words('verdict.a5-message', {}, { at: 7 }, { what: words('verdict.a5-place', { path: '$.messages[7].content' }) }));
    expect(placeOf(inside, first)?.index).toBe(7);
    expect(placeOf(fails('A1', 'the system text changed, unannounced, at $.instructions'), first)).toEqual({ kind: 'system', index: 0, path: '$.instructions' });
  });

  it('is a message or a tool by its number where no path is said', () => {
    expect(placeOf(fails('A11', 'message 4: a result without a call', words('verdict.a11-group', {}, { at: 4 })), first)).toEqual({ kind: 'message', index: 4, path: '' });
    expect(placeOf(fails('A12', 'tools 1 and 3 have the same name "x"', words('verdict.a12-same', {}, { at: 1, other: 3 })), first)?.kind).toBe('tool');
  });

  it('is the first difference for what is said of all old bytes alone, and else none', () => {
    expect(placeOf(fails('A9', 'lost'), first)).toEqual({ kind: 'tool', index: 0, path: first.path });
    expect(placeOf(fails('A1', 'there is no system message at index 0'), first)).toBeNull();
    expect(placeOf(fails('A2', '2 system messages'), first)).toBeNull();
  });
});

describe('going through differences', () => {
  it('names the part whose own name has scrolled away', () => {
    const hunk = (index: number) => ({ index }) as Hunk;
    const rows = [1, 2].flatMap((n) => [{ type: 'head', hunk: hunk(n) }, { type: 'line', line: {}, fresh: false }]) as Parameters<typeof partOf>[0];
    expect([0, 1, 2, 3, 9].map((i) => partOf(rows, i)?.index)).toEqual([undefined, 1, undefined, 2, undefined]);
  });

  it('holds at both ends', () => {
    expect([goTo(0, 1, 3), goTo(2, 1, 3), goTo(0, -1, 3), goTo(2, 'first', 3)]).toEqual([1, 2, 0, 0]);
  });

  it('has keys that hold wherever the focus is, but not while text is written', () => {
    const key = (k: string, typing = false) => commandOfKey({ key: k, ctrl: false, shift: false, alt: false, typing });
    expect([key('n'), key('p'), key('N'), key('n', true)]).toEqual(['hunk-next', 'hunk-previous', 'hunk-first', undefined]);
  });

  it('says where one is, by buttons and by command', () => {
    const hunk = (index: number): Hunk => ({ kind: 'message', index, role: 'tool', state: 'changed', lines: [{ sign: '-', old: 1, new: 0, text: 'a', spans: [] }, { sign: '+', old: 0, new: 1, text: 'b', spans: [] }] }) as unknown as Hunk;
    const list = () => [hunk(1), hunk(2), hunk(3)];
    const { rerender } = render(<Hunks pair="a" hunks={list()} cut={false} />);
    const at = () => screen.getByTestId('jumps').textContent;
    expect(at()).toBe('1 of 3');
    fireEvent.click(screen.getByRole('button', { name: /next difference/ }));
    expect(at()).toBe('2 of 3');
    rerender(<Hunks pair="a" hunks={list()} cut={false} />); // read anew
    expect(at()).toBe('2 of 3');
    set({ tab: 'raw', drawer: 'closed' });
    fireEvent.click(screen.getByRole('button', { name: /next difference/ }));
    expect([at(), get().tab, get().drawer]).toEqual(['3 of 3', 'diff', 'open']);
    expect((screen.getByRole('button', { name: /next difference/ }) as HTMLButtonElement).disabled).toBe(true);
    rerender(<Hunks pair="b" hunks={list()} cut={false} />);
    expect(at()).toBe('1 of 3');
    jump('first');
    expect(get().jump.by).toBe('first');
  });
});
