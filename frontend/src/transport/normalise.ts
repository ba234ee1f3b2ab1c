// Go writes null for an empty slice or map. Everything above this layer relies on [] and {} instead.

/** Names of the contract's slices; a test compares them with the generated types. */
export const SLICES: ReadonlySet<string> = new Set([
  'sessions', 'languages', 'servers', 'tools', 'rows', 'turns', 'redlines', 'violations', 'messages', 'hidden', 'calls',
  'breadcrumb', 'lists', 'items', 'causes', 'notes', 'noteWords', 'rungs', 'hunks', 'lines', 'spans', 'hits', 'skipped', 'missing',
  'pictures', 'predictions', 'profiles', 'requestHeaders', 'responseHeaders', 'claimed', 'inferred', 'blocks', 'pairs', 'steps', 'evidence', 'attempts', 'classes', 'strategies', 'cells', 'reuse',
]);

/** Names of the contract's maps. */
export const MAPS: ReadonlySet<string> = new Set(['verdicts', 'texts', 'numbers', 'inner']);

/** Fields that hold somebody else's JSON (a tool's schema): not ours to touch. */
export const FOREIGN: ReadonlySet<string> = new Set(['schema']);

/** Replaces null slices and maps in place, at any depth, and returns the value. */
export function normalise<T>(value: T): T {
  if (Array.isArray(value)) {
    for (const v of value) normalise(v);
  } else if (value !== null && typeof value === 'object') {
    const o = value as Record<string, unknown>;
    for (const key of Object.keys(o)) {
      if (FOREIGN.has(key)) continue;
      if (o[key] === null) {
        if (SLICES.has(key)) o[key] = [];
        else if (MAPS.has(key)) o[key] = {};
      } else {
        normalise(o[key]);
      }
    }
  }
  return value;
}
