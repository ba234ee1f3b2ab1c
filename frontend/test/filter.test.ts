import { describe, expect, it } from 'vitest';
import { applyCompletion, complete, parseFilter } from '../src/model/filter';
import { row } from './rows';

const turn = { number: 2, request: 3, prompt: 'Pin the Shopping list' };
const holds = (text: string, r = row()) => parseFilter(text).test({ row: r, turn });

describe('the filter language', () => {
  it('finds everything when empty', () => {
    expect(parseFilter('  ').empty).toBe(true);
    expect(holds('')).toBe(true);
  });

  it('joins terms by and, words after a comma by or', () => {
    const r = row({ verdict: 'sealed', tools: ['zimoos.act'] });
    expect(holds('verdict:sealed tool:zimoos.act', r)).toBe(true);
    expect(holds('verdict:sealed tool:files', r)).toBe(false);
    expect(holds('verdict:windowed,sealed', r)).toBe(true);
  });

  it('compares numbers with scales, ranges and negation', () => {
    const r = row({ bytes: 12_000, millis: 1500, usage: { reported: true, prompt: 8001, cached: 7000, cachedSaid: true, completion: 1 } });
    expect(holds('tokens>8k', r)).toBe(true);
    expect(holds('tokens>=8001', r)).toBe(true);
    expect(holds('tokens>8001', r)).toBe(false);
    expect(holds('bytes:10k..20k', r)).toBe(true);
    expect(holds('bytes:..11k', r)).toBe(false);
    expect(holds('time>1.4s', r)).toBe(true);
    expect(holds('-time>1.4s', r)).toBe(false);
  });

  it('never takes an unreported figure for 0', () => {
    expect(holds('cached<1', row({ usage: { reported: false, prompt: 0, cached: 0, cachedSaid: false, completion: 0 } }))).toBe(false);
  });

  it('finds quoted words of the user without regard to case', () => {
    expect(holds('"shopping LIST"')).toBe(true);
    expect(holds('"list shopping"')).toBe(false);
    expect(holds('-"shopping list"')).toBe(false);
    expect(holds('"shopping')).toBe(true);
  });

  it('tells A1 from A11, and unplanned from planned', () => {
    const r = row({ verdict: 'rewritten', planned: false, violations: ['A11'] });
    expect(holds('redline:A1', r)).toBe(false);
    expect(holds('redline:a11', r)).toBe(true);
    expect(holds('verdict:unplanned', r)).toBe(true);
    expect(holds('verdict:unplanned', row())).toBe(false);
  });

  it('reports what it cannot read, by term', () => {
    expect(parseFilter('size>3').errors).toEqual([{ kind: 'unknown', term: 'size>3' }]);
    expect(parseFilter('tokens>many').errors).toEqual([{ kind: 'number', term: 'tokens>many' }]);
    expect(parseFilter('verdict:').errors).toEqual([{ kind: 'empty', term: 'verdict:' }]);
  });

  it('completes names first, then words of the session', () => {
    expect(complete('ver', [])).toEqual(['verdict:']);
    expect(complete('x tool:z', [row({ tools: ['zimoos.act'] })])).toEqual(['tool:zimoos.act']);
    expect(applyCompletion('x -ver', 'verdict:')).toBe('x -verdict:');
    expect(applyCompletion('tool:z', 'tool:zimoos.act')).toBe('tool:zimoos.act ');
  });
});
