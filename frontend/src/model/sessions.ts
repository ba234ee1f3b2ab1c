// The list of sessions as it is shown.
import type { SessionInfo } from '../api/types.gen';

/** Pinned ones first, each part in the order that the program gives: newest first. */
export function listed(sessions: readonly SessionInfo[]): SessionInfo[] {
  return [...sessions.filter((s) => s.pinned), ...sessions.filter((s) => !s.pinned)];
}
