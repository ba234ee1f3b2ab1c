// Which step of the agent a request comes from: what the message says that is new in it.
import type { RequestView } from '../api/types.gen';

export interface Step {
  /** key under "step." */
  key: 'called' | 'user' | 'summary';
  /** the request whose answer it was */
  at: number;
  tools: string[];
}

/** null where the bytes don't say it: nothing is new, or the first request's history came whole. */
export function stepOf(view: RequestView): Step | null {
  const { row } = view;
  const { base } = row;
  if (row.kind === 'other') return null;
  if (row.kind === 'side' && row.thread === '') return { key: 'summary', at: base, tools: [] };
  const fresh = view.messages.filter((m) => m.changed === 'new' || base === 0);
  const tools = [...new Set(fresh.flatMap((m) => (m.role === 'assistant' ? m.calls.map((c) => c.name) : [])))];
  if (base > 0 && tools.length > 0) return { key: 'called', at: base, tools };
  return fresh.at(-1)?.role === 'user' || view.row.verdict === 'first' ? { key: 'user', at: base, tools: [] } : null;
}
