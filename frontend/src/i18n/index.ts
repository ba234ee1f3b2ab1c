import { en } from './en';
import { translate, type Dictionary, type Numbers, type Params } from './translate';
import { zh } from './zh';

export type Key = keyof typeof en;
export type T = (key: Key, params?: Params) => string;

export const DICTIONARIES: { en: Dictionary<Key>; zh: Dictionary<Key> } = { en, zh };

/** The words of one language. */
export function makeT(lang: 'en' | 'zh', numbers: Numbers): T {
  const words = DICTIONARIES[lang];
  return (key, params = {}) => translate(words[key], params, numbers);
}

/** Whether there are words for a key that is put together at run time. */
export function isKey(key: string): key is Key {
  return key in en;
}
