import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { RequestRow } from '../src/api/types.gen';
import { parseFilter } from '../src/model/filter';
import { row } from './rows';

interface Case {
  filter: string;
  row: Partial<RequestRow>;
  turn: number;
  holds: boolean;
}

// The program's search speaks the same language: both are held to these cases.
const cases = JSON.parse(readFileSync('../app/service/testdata/filter.json', 'utf8')) as Case[];

it.each(cases)('$filter on $row', ({ filter, row: change, turn, holds }) => {
  const at = turn > 0 ? { number: turn, request: 1, prompt: '' } : undefined;
  expect(parseFilter(filter).test({ row: row(change), turn: at })).toBe(holds);
});
