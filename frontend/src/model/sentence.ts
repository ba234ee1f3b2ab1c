// The sentence of a verdict: which key of the dictionaries, with what in it.
import type { Rung, VerdictView } from '../api/types.gen';
import { partName } from './record';

export interface Sentence {
  /** key under "sentence." */
  key: string;
  params: { part: string };
}

const KEYS: Record<string, string> = {
  first: 'first', extended: 'extended', sealed: 'sealed', windowed: 'windowed', rewritten: 'rewritten', leaked: 'leaked',
  'tools-changed': 'tools', 'system-changed': 'system', 'model-changed': 'model', 'rest-changed': 'rest', 'mark-moved': 'mark',
};

export function sentenceOf(v: VerdictView, staged: boolean, rungs: readonly Rung[]): Sentence {
  // an appended message is named, not the place in the old carrier where the bytes part
  const fresh = v.verdict === 'extended' ? rungs.find((r) => r.state === 'new') : undefined;
  // the bytes may part earlier than where the worst change stands: tools in another order, and an old message rewritten
  const own = v.verdict === 'extended' ? undefined : v.causes.find((c) => c.verdict === v.verdict && c.partKind !== '');
  const at = fresh ? { partKind: fresh.kind, partIndex: fresh.index } : (own ?? v);
  const part = at.partKind === '' ? '' : partName(at.partKind, at.partIndex);
  let key = KEYS[v.verdict] ?? 'other';
  if (key === 'extended' && !fresh) key = 'same';
  if (staged && (key === 'sealed' || key === 'extended')) key = `${key}.staged`;
  if (key === 'rewritten' && v.notes.length === 0 && v.after === '' && v.before !== '') key = 'vanished';
  return { key, params: { part } };
}
