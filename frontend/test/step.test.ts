import { expect, it } from 'vitest';
import type { MessageView, RequestView } from '../src/api/types.gen';
import { stepOf } from '../src/model/step';
import { row } from './rows';

const message = (role: string, changed: string, calls: string[] = []) => ({ role, changed, calls: calls.map((name) => ({ id: '', name, arguments: '' })) }) as unknown as MessageView;
const view = (base: number, messages: MessageView[], change: Parameters<typeof row>[0] = {}) => ({ row: row({ n: base + 1, base, kind: 'main', verdict: 'extended', ...change }), messages }) as unknown as RequestView;

it('a request comes from the calls that are new in it, each named once', () => {
  const v = view(8, [message('user', ''), message('assistant', '', ['old']), message('assistant', 'new', ['act', 'search', 'act']), message('tool', 'new'), message('tool', 'new')]);
  expect(stepOf(v)).toEqual({ key: 'called', at: 8, tools: ['act', 'search'] });
});

it('or from what the user wrote', () => {
  expect(stepOf(view(4, [message('assistant', 'new'), message('user', 'new')]))?.key).toBe('user');
  expect(stepOf(view(0, [message('user', '')], { verdict: 'first' }))?.key).toBe('user');
});

it('a side request of our own gets a Summary; where nothing is new nothing is said', () => {
  expect(stepOf(view(6, [message('user', '')], { kind: 'side', thread: '' }))).toEqual({ key: 'summary', at: 6, tools: [] });
  expect(stepOf(view(6, [message('user', ''), message('assistant', '', ['old'])]))).toBeNull();
  expect(stepOf(view(0, [], { kind: 'other' }))).toBeNull();
});
