// Reading aids for operation records and calls. The record's own bytes are never changed.

/** What an operation did, for its folded line: the command where there is one, else the arguments as written. */
export function commandOf(args: string): string {
  const text = args.trim();
  if (text === '' || text === '{}') return '';
  const m = /"cmd"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text) ?? /"(?:query|q|text|handle)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text);
  if (!m) return text;
  try {
    return String(JSON.parse(m[1]));
  } catch {
    return m[1];
  }
}

/** Whether an outcome line tells of success. */
export function outcomeOk(outcome: string): boolean {
  return /^ok\b/.test(outcome.trim());
}

/** Names under which a message's part is written: messages[5], tools[2], system, model. */
export function partName(kind: string, index: number): string {
  if (kind === 'message') return `messages[${index}]`;
  if (kind === 'tool') return `tools[${index}]`;
  return kind;
}

const ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/** A role as the name of a look. Other agents' roles are any text, which must not choose how it is drawn. */
export function roleClass(role: string): string {
  return ROLES.has(role) ? role : '';
}
