import { describe, expect, it } from 'vitest';
import type { Timeline } from '../src/api/types.gen';
import { barWidth, segments } from '../src/model/bars';
import { bandOf, MAX_STEPS, sparkShape, stepAt, steps } from '../src/model/sparkline';
import { lines, neighbour, newest, offsets, placeAfter, ROW_HEIGHT, scrollInto, stickyTurn, turnOf, visibleRange } from '../src/model/timeline';
import { isViolation, planOf, VERDICTS, verdictLook, violates } from '../src/model/verdict';
import { row } from './rows';

const turns = [{ number: 1, request: 1, prompt: 'a' }, { number: 2, request: 4, prompt: 'b' }];
const timeline = (n: number): Timeline => ({
  session: 's', rev: 1, rows: Array.from({ length: n }, (_, i) => row({ n: i + 1 })), turns, redlines: [],
  figures: { requests: n, pairs: 0, prefixEqual: 0, plannedBreaks: 0, violations: 0, predictedReuse: 0, predictedTotal: 0, predictedExact: true, reportedReuse: 0, reportedTotal: 0, notReported: 0, proved: 0, imported: 0, claimed: 0, others: 0, storeBytes: 0 },
});

describe('lines and scrolling', () => {
  const list = lines(timeline(6), () => true);
  const tops = offsets(list);

  it('puts a head before the first row of each turn, and none over no row', () => {
    expect(list.map((l) => (l.type === 'turn' ? `T${l.turn.number}` : l.row.n))).toEqual(['T1', 1, 2, 3, 'T2', 4, 5, 6]);
    expect(lines(timeline(6), ({ row: r }) => r.n > 3).map((l) => l.type)).toEqual(['turn', 'row', 'row', 'row']);
    expect(turnOf(turns, 3)?.number).toBe(1);
  });

  it('draws every line that a view touches, at any scroll position', () => {
    const many = lines(timeline(10_000), () => true);
    const places = offsets(many);
    for (const scroll of [0, 1, 39, 40, 12_345, places[many.length] - 700]) {
      const [from, to] = visibleRange(places, scroll, 700, 0);
      expect(places[from]).toBeLessThanOrEqual(scroll);
      expect(places[to]).toBeGreaterThanOrEqual(Math.min(scroll + 700, places[many.length]));
      expect(to - from).toBeLessThan(25);
    }
    expect(visibleRange([0], 0, 100, 5)).toEqual([0, 0]);
  });

  it('keeps the head of the turn that is being read', () => {
    expect(stickyTurn(list, tops, 0)?.number).toBe(1);
    expect(stickyTurn(list, tops, tops[4] - 1)?.number).toBe(1);
    expect(stickyTurn(list, tops, tops[4])?.number).toBe(2);
  });

  it('scrolls no farther than needed', () => {
    expect(scrollInto(100, 140, 90, 200)).toBe(90);
    expect(scrollInto(100, 140, 120, 200)).toBe(100);
    expect(scrollInto(100, 140, 120, 200, 24)).toBe(76);
    expect(scrollInto(400, 440, 90, 200)).toBe(240);
  });

  it('moves among visible rows and stops at the ends', () => {
    expect(neighbour(list, 3, 1)).toBe(4);
    expect(neighbour(list, 6, 1)).toBe(6);
    expect(neighbour(list, 2, -Infinity)).toBe(1);
    expect(neighbour(lines(timeline(6), ({ row: r }) => r.n % 2 === 0), 3, 1)).toBe(2);
    expect(neighbour([], 1, 1)).toBe(0);
    expect(newest(null)).toBe(0);
  });
});

describe('body bar', () => {
  it('lists segments in body order, without empty ones, and colours what follows a break', () => {
    expect(segments(row()).map((s) => s.kind)).toEqual(['prefix', 'equal', 'new', 'tail']);
    expect(segments(row({ verdict: 'windowed', equal: 0 })).map((s) => s.kind)).toEqual(['prefix', 'planned', 'tail']);
    expect(segments(row({ verdict: 'rewritten', planned: false })).map((s) => s.kind)).toEqual(['prefix', 'equal', 'broken', 'tail']);
  });

  it('is as wide as its share of the largest, and never invisible', () => {
    expect(barWidth(50, 100)).toBe(50);
    expect(barWidth(1, 1e9)).toBe(2);
    expect(barWidth(0, 100)).toBe(0);
  });
});

describe('verdict', () => {
  it('shows an unannounced change as a pill and an announced one as a word', () => {
    expect(verdictLook('tools-changed', false).tone).toBe('bad');
    expect(verdictLook('tools-changed', true).tone).toBe('warn');
    expect(verdictLook('tools-changed', null).tone).toBe('bad'); // counted as a violation by A1 and A9
    expect(verdictLook('rest-changed', false).tone).toBe('warn');
    expect(verdictLook('rewritten', null).tone).toBe('bad');
    expect(verdictLook('something-new', true).glyph).toBe('unknown');
    expect(isViolation(row({ violations: ['A3'] }))).toBe(true);
  });

  it('answers "was that planned?" as it counts violations, also where nobody could announce anything', () => {
    const answers = (verdict: string) => [true, false, null].map((p) => planOf(verdict, p));
    expect(answers('extended')).toEqual(['planned', 'unplanned', 'kept']);
    expect(answers('tools-changed')).toEqual(['planned', 'unplanned', 'unannounced']);
    expect(answers('windowed')[2]).toBe('unannounced');
    expect(answers('rewritten')[2]).toBe('unplanned');
    expect(answers('leaked')[2]).toBe('unplanned');
    expect(answers('rest-changed')[2]).toBe('noplan');
    expect(answers('something-new')[2]).toBe('foreign');
    for (const verdict of VERDICTS) for (const planned of [true, false, null]) {
      const plan = planOf(verdict, planned);
      if (violates(verdict, planned)) expect(['unplanned', 'unannounced'], `${verdict} ${planned}`).toContain(plan);
      if (plan === 'unannounced') expect(violates(verdict, planned), `${verdict} ${planned}`).toBe(true);
    }
  });
});

describe('reuse line', () => {
  it('marks a silent provider on the floor instead of as 0 %', () => {
    const quiet = row({ usage: { reported: false, prompt: 0, cached: 0, cachedSaid: false, completion: 0 } });
    const [s] = steps([quiet]);
    expect([s.reported, s.silent]).toEqual([null, true]);
    expect(sparkShape([s], 100, 40).dots).toEqual([{ x: 50, y: 35, silent: true }]);
  });

  it('bands the step that holds the chosen request, also a bucket of several', () => {
    const list = steps(Array.from({ length: 8 }, (_, i) => row({ n: i + 1 })), 4);
    expect(bandOf(list, 3, 100)).toEqual({ x: 25, width: 25 });
    expect(bandOf(list, 8, 100)).toEqual({ x: 75, width: 25 });
    expect(bandOf(list, 9, 100)).toBeNull();
  });

  it('takes the worst of a bucket beyond its limit', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => row({ n: i + 1, predicted: { class: 'token', reused: i === 500 ? 1 : 90, total: 100, exact: true } }));
    const list = steps(rows);
    expect(list.length).toBeLessThanOrEqual(MAX_STEPS);
    expect(Math.min(...list.map((s) => s.predicted ?? 1))).toBe(0.01);
    expect(list[0].from).toBe(1);
    expect(list[list.length - 1].to).toBe(1000);
    expect(stepAt(list, 0, 100)?.from).toBe(1);
    expect(stepAt(list, 1000, 100)?.to).toBe(1000);
  });
});

describe('where the list stands after a change', () => {
  const at = (more = {}) => ({ selected: 5, follow: false, text: '', end: 2000, ...more });

  it('stays where a person scrolled to, whatever comes', () => {
    expect(placeAfter(at(), at({ end: 2040 }), 700)).toBe('stay');
    expect(placeAfter(at({ follow: true }), at({ follow: true, selected: 6, end: 2040 }), 700)).toBe('stay');
  });

  it('follows while it stands at its end', () => {
    expect(placeAfter(at({ follow: true }), at({ follow: true, selected: 6, end: 2040 }), 2000)).toBe('end');
    expect(placeAfter(at({ follow: true }), at({ follow: true, selected: 6, end: 2040 }), 2000 - ROW_HEIGHT)).toBe('end');
    expect(placeAfter(at(), at({ end: 2040 }), 2000)).toBe('stay');
  });

  it('goes where a person chose, filtered or switched following on', () => {
    expect(placeAfter(at(), at({ selected: 2 }), 700)).toBe('selected');
    expect(placeAfter(at(), at({ text: 'tool:x' }), 700)).toBe('selected');
    expect(placeAfter(at(), at({ follow: true }), 700)).toBe('end');
    expect(placeAfter(at({ follow: true }), at({ selected: 2 }), 2000)).toBe('selected');
  });
});
