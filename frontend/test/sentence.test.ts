import { expect, it } from 'vitest';
import type { CauseView, VerdictView } from '../src/api/types.gen';
import { sentenceOf } from '../src/model/sentence';

const cause = (verdict: string, partKind: string, partIndex: number): CauseView => ({ verdict, planned: null, detail: '', words: null, partKind, partIndex, path: '', partOffset: 0, bodyOffset: 0 });
const view = (change: Partial<VerdictView>): VerdictView => ({ verdict: 'first', planned: null, causes: [], partKind: '', partIndex: 0, path: '', partOffset: 0, bodyOffset: 0, historyLost: 0, before: '', after: 'x', notes: [], noteWords: [], ...change });

it('the sentence names what the worst change is of, also where the bytes part earlier', () => {
  const v = view({ verdict: 'rewritten', partKind: 'tool', partIndex: 0, causes: [cause('tools-changed', 'tool', 0), cause('rewritten', 'message', 3)] });
  expect(sentenceOf(v, false, [])).toEqual({ key: 'rewritten', params: { part: 'messages[3]' } });
});

it('the sentence names the place where the bytes part when the cause has none', () => {
  const v = view({ verdict: 'sealed', partKind: 'message', partIndex: 13, causes: [cause('sealed', '', 0)] });
  expect(sentenceOf(v, false, []).params.part).toBe('messages[13]');
});
