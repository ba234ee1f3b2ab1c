// What the agent's state allows: which run controls stand in the toolbar, and what the composer says.
import type { RequestRow, RunState, SessionInfo } from '../api/types.gen';

export type Mode = 'none' | 'read-only' | 'idle' | 'running' | 'paused' | 'stopping';

export function modeOf(state: RunState | undefined, session: SessionInfo | undefined): Mode {
  if (!state || !session) return 'none';
  if (session.readOnly || session.foreign !== '') return 'read-only';
  if (state.phase === 'paused' || state.staged) return 'paused';
  if (state.phase === 'stopping') return 'stopping';
  return state.phase === 'idle' || state.phase === '' ? 'idle' : 'running';
}

/** How many breakpoints are set. */
export function breakpointCount(state: RunState | undefined): number {
  const b = state?.breakpoints;
  if (!b) return 0;
  return [b.beforeRequest, b.beforeTool, b.afterFrame, b.onUnplanned, b.onRedline].filter(Boolean).length;
}

/** Whether a request is still on its way. */
export function isOpen(row: RequestRow): boolean {
  return row.staged || row.status === 'staged' || row.status === 'sending' || row.status === 'receiving';
}

/** Whether what is shown of a request is older than its row in the timeline. */
export function isOutdated(shown: RequestRow, row: RequestRow): boolean {
  return (
    shown.status !== row.status || shown.staged !== row.staged || shown.proof !== row.proof ||
    shown.verdict !== row.verdict || shown.millis !== row.millis || shown.bytes !== row.bytes
  );
}
