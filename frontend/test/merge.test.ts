import { describe, expect, it } from 'vitest';
import type { TimelineChange } from '../src/api/service';
import type { Timeline } from '../src/api/types.gen';
import { merge, revOf } from '../src/model/merge';
import { Frames } from '../src/state/frames';
import { row } from './rows';

const figures = {} as Timeline['figures'];
const turn = (number: number, request: number) => ({ number, request, prompt: `p${number}` });
const rows = (n: number) => Array.from({ length: n }, (_, i) => row({ n: i + 1 }));
const have = (n: number): Timeline => ({ session: 's', rev: 5, rows: rows(n), turns: [turn(1, 1)], figures, redlines: [] });
const delta = (change: Partial<TimelineChange>): TimelineChange => ({ session: 's', rev: 6, full: false, rows: [], rowCount: 3, turns: [], turnCount: 1, figures, redlines: [], ...change });

describe('a change of the timeline', () => {
  it('keeps the objects of rows that did not change', () => {
    const old = have(3);
    const got = merge(old, delta({ rows: [row({ n: 2, millis: 99 }), row({ n: 4 })], rowCount: 4 }));
    expect(got?.rows.map((r) => r.n)).toEqual([1, 2, 3, 4]);
    expect(got?.rows[0]).toBe(old.rows[0]);
    expect(got?.rows[2]).toBe(old.rows[2]);
    expect(got?.rows[1].millis).toBe(99);
    expect(got?.turns).toBe(old.turns);
    expect(old.rows[1].millis).toBe(10);
  });

  it('keeps the list itself when only figures changed', () => {
    const old = have(3);
    expect(merge(old, delta({}))?.rows).toBe(old.rows);
  });

  it('takes a staged row away again, and its turn', () => {
    const staged = merge(have(2), delta({ rows: [row({ n: 3, staged: true })], turns: [turn(2, 3)], turnCount: 2 }));
    expect([staged?.rows.length, staged?.turns.length]).toEqual([3, 2]);
    const after = merge(staged, delta({ rowCount: 2 }));
    expect([after?.rows.length, after?.turns.length]).toEqual([2, 1]);
  });

  it('asks for all where it does not join', () => {
    expect(merge(null, delta({}))).toBeNull();
    expect(merge(have(3), delta({ session: 'other' }))).toBeNull();
    expect(merge(have(3), delta({ rows: [row({ n: 5 })], rowCount: 5 }))).toBeNull();
    expect(merge(have(3), delta({ rowCount: 4 }))).toBeNull();
    expect(merge(have(3), delta({ full: true, rows: rows(2), rowCount: 3 }))).toBeNull();
  });

  it('replaces whatever was held when it is all there is', () => {
    const got = merge(have(9), delta({ full: true, rows: rows(3), turns: [turn(1, 1)] }));
    expect([got?.rows.length, got?.rev]).toEqual([3, 6]);
    expect([revOf(got, 's'), revOf(got, 'other'), revOf(null, 's')]).toEqual([6, 0, 0]);
  });
});

it('events between two frames are handled in one pass, in order', () => {
  const frames: (() => void)[] = [];
  const seen: number[][] = [];
  const f = new Frames<number>((batch) => seen.push([...batch]), (run) => frames.push(run));
  for (let i = 0; i < 100; i++) f.add(i);
  expect([seen.length, frames.length]).toEqual([0, 1]);
  frames[0]();
  expect(seen).toEqual([Array.from({ length: 100 }, (_, i) => i)]);
  f.add(7);
  expect(frames.length).toBe(2);
});
