import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { RequestRow, RowColumns } from '../src/api/types.gen';
import { rowsOf } from '../src/transport/columns';
import { row } from './rows';

/** Columns as Go writes them: null where no row has anything. */
function columns(rows: RequestRow[]): RowColumns {
  const empty = (v: unknown) => v === null || v === 0 || v === '' || v === false || (Array.isArray(v) && v.length === 0);
  const names = Object.keys(rows[0]) as (keyof RequestRow)[];
  return Object.fromEntries(names.map((name) => {
    const list = rows.map((r) => (name === 'usage' && !r.usage.reported ? null : Array.isArray(r[name]) && empty(r[name]) ? null : r[name]));
    return [name, list.every((v) => (name === 'planned' ? v === null : empty(v))) ? null : list];
  })) as unknown as RowColumns;
}

it('rows come out of their columns as they went in, also where whole columns are empty', () => {
  const silent = { reported: false, prompt: 0, cached: 0, cachedSaid: false, completion: 0 };
  const rows = [
    row({ n: 1, planned: null, predicted: null, usage: silent, tools: [], turn: 1 }),
    row({ n: 2, base: 1, staged: true, lost: 7, tools: ['a', 'b'], violations: ['A1'], error: 'no', thread: 'c1', unpredicted: 'counting', method: 'GET', path: '/x', http: 404, planned: false }),
  ];
  expect(rowsOf(columns(rows))).toEqual(rows);
  expect(rowsOf(columns([rows[0]]))).toEqual([rows[0]]);
  expect(rowsOf({ n: null } as unknown as RowColumns)).toEqual([]);
});

it('every field of a row is read', () => {
  const types = readFileSync('src/api/types.gen.ts', 'utf8');
  const body = /interface RequestRow \{([^}]*)\}/.exec(types)?.[1] ?? '';
  const names = [...body.matchAll(/^ {2}(\w+):/gm)].map((m) => m[1]);
  expect(names.length).toBeGreaterThan(20);
  expect(Object.keys(rowsOf({ n: [1] } as unknown as RowColumns)[0]).sort()).toEqual(names.sort());
});
