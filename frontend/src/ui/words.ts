// The words and figures of the chosen language.
import { useApp } from '../state/store';
import { isKey, makeT, type Key, type T } from '../i18n';
import { makeFormat, type Format, type Lang } from '../model/format';
import { systemLang } from '../model/prefs';

export interface Words {
  t: T;
  f: Format;
  lang: Lang;
  /** Words for a key made at run time, or the fallback as it is. */
  say(key: string, fallback?: string): string;
}

function make(lang: Lang): Words {
  const f = makeFormat(lang);
  const t = makeT(lang, f);
  return { t, f, lang, say: (key, fallback = '') => (isKey(key) ? t(key as Key) : fallback) };
}

const WORDS: Record<Lang, Words> = { en: make('en'), zh: make('zh') };

export function useWords(): Words {
  const chosen = useApp((s) => s.prefs.lang);
  const system = useApp((s) => s.snapshot?.languages);
  return WORDS[chosen ?? systemLang([...(system ?? []), ...navigator.languages])];
}
