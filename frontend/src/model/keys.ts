// The keyboard: which key means what. Views attach the doing.

export type Command =
  | 'down' | 'up' | 'first' | 'last' | 'follow' | 'filter' | 'help' | 'palette' | 'run' | 'continue' | 'pause' | 'step' | 'steptool' | 'stop'
  | 'region' | 'region-back' | 'drawer' | 'drawer-full' | 'tab-1' | 'tab-2' | 'tab-3' | 'tab-4' | 'tab-5' | 'tab-6' | 'tab-7' | 'tab-8' | 'language' | 'theme' | 'compose'
  | 'copy' | 'hunk-next' | 'hunk-previous' | 'hunk-first' | 'search' | 'fold-prefix' | 'fold-carrier' | 'escape';

export interface Key {
  key: string;
  ctrl: boolean;
  shift: boolean;
  alt: boolean;
  /** focus is where text is written */
  typing: boolean;
}

const PLAIN: Readonly<Record<string, Command>> = {
  j: 'down', k: 'up', g: 'first', G: 'last', f: 'follow', '/': 'filter', '?': 'help', d: 'drawer', D: 'drawer-full', c: 'compose', y: 'copy', n: 'hunk-next', p: 'hunk-previous', N: 'hunk-first',
  '1': 'tab-1', '2': 'tab-2', '3': 'tab-3', '4': 'tab-4', '5': 'tab-5', '6': 'tab-6', '7': 'tab-7', '8': 'tab-8', l: 'language', t: 'theme', '[': 'fold-prefix', ']': 'fold-carrier',
};

const FUNCTION: Readonly<Record<string, Command>> = { F5: 'run', F8: 'continue', F10: 'step', F11: 'steptool', F1: 'help' };

/** The command of a key; undefined leaves the key to the page. Letters never act while text is written. */
export function commandOfKey(k: Key): Command | undefined {
  if (k.ctrl && !k.alt && !k.shift && k.key.toLowerCase() === 'k') return 'palette';
  if (k.ctrl && k.shift && !k.alt && k.key.toLowerCase() === 'f') return 'search';
  if (k.key === 'F6') return k.shift ? 'region-back' : 'region';
  if (k.key === 'F5' && k.shift) return 'stop';
  if (!k.ctrl && !k.alt && FUNCTION[k.key]) return FUNCTION[k.key];
  if (k.typing || k.ctrl || k.alt) return undefined;
  return PLAIN[k.key];
}

/** The sheet: groups of keys with the key of their words under "keys.". */
export const SHEET: readonly { group: string; keys: readonly { keys: readonly string[]; word: string }[] }[] = [
  { group: 'timeline', keys: [{ keys: ['j', 'k'], word: 'move' }, { keys: ['g', 'G'], word: 'ends' }, { keys: ['f'], word: 'follow' }, { keys: ['/'], word: 'filter' }] },
  { group: 'run', keys: [{ keys: ['F5'], word: 'run' }, { keys: ['F8'], word: 'continue' }, { keys: ['F10'], word: 'step' }, { keys: ['F11'], word: 'steptool' }, { keys: ['Shift F5'], word: 'stop' }, { keys: ['c'], word: 'compose' }] },
  { group: 'window', keys: [{ keys: ['F6', 'Shift F6'], word: 'region' }, { keys: ['d', 'D'], word: 'drawer' }, { keys: ['1', '…', '8'], word: 'tab' }, { keys: ['[', ']'], word: 'fold' }, { keys: ['n', 'p', 'N'], word: 'hunk' }] },
  { group: 'general', keys: [{ keys: ['Ctrl K', '⌘ K'], word: 'palette' }, { keys: ['Ctrl Shift F'], word: 'search' }, { keys: ['y'], word: 'copy' }, { keys: ['l'], word: 'language' }, { keys: ['t'], word: 'theme' }, { keys: ['?', 'F1'], word: 'help' }] },
];
