// The words and figures of the chosen language.
import { useApp, type AppState } from '../state/store';
import type { Words as SaidWords } from '../api/types.gen';
import { isKey, makeT, type T } from '../i18n';
import { told, type Told } from '../i18n/told';
import { makeFormat, type Format, type Lang } from '../model/format';
import { systemLang } from '../model/prefs';

export interface Words {
  t: T;
  f: Format;
  lang: Lang;
  /** Words for a key made at run time, or the fallback as it is. */
  say(key: string, fallback?: string): string;
  /** A sentence of the program, by its words where it has any: inert text, and its language where it isn't the window's. */
  told(text: string, words?: SaidWords | null): Told;
  /** The same as text alone. */
  tell(text: string, words?: SaidWords | null): string;
}

function make(lang: Lang): Words {
  const f = makeFormat(lang);
  const t = makeT(lang, f);
  const own = (key: string) => (isKey(key) ? t(key) : undefined);
  const say: Words['told'] = (text, words) => told(lang, text, words, f, own);
  return { t, f, lang, say: (key, fallback = '') => own(key) ?? fallback, told: say, tell: (text, words) => say(text, words).text };
}

const WORDS: Record<Lang, Words> = { en: make('en'), zh: make('zh') };

/** What a system that prefers these languages is spoken to in; hundreds of components ask for each snapshot. */
const spoken = new WeakMap<readonly string[], Lang>();
const NONE: readonly string[] = [];

function langOf(s: AppState): Lang {
  if (s.prefs.lang) return s.prefs.lang;
  const languages = s.snapshot?.languages ?? NONE;
  const known = spoken.get(languages);
  if (known) return known;
  const lang = systemLang([...languages, ...navigator.languages]);
  spoken.set(languages, lang);
  return lang;
}

export function useWords(): Words {
  return WORDS[useApp(langOf)];
}
