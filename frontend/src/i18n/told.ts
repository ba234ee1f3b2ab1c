// Says a sentence of the program in the window's language: by its code and values where it has them, else by what is
// recognised of its English words, else as it came.
import type { Words } from '../api/types.gen';
import { sayHeard, type Code } from './hear';
import type { Numbers } from './translate';
import { faults } from './zh/faults';
import { notes } from './zh/notes';
import { verdict } from './zh/verdict';

/** The Chinese sentences, one for each code of the catalogues. */
export const CHINESE: Readonly<Record<Code, string>> = { ...verdict, ...faults, ...notes };

/** Places and codes, which are written without separators. */
const BARE = new Set(['at', 'other', 'from', 'to', 'status', 'code', 'predecessor']);
/** Placeholders that hold words of the program's own, with the keys of their dictionary. */
const OWN_WORDS: Record<string, string> = { kind: 'verdict.', kinds: 'verdict.', verdict: 'verdict.', steps: 'step.', step: 'step.' };
/** Placeholders that hold several sentences, with commas between them. */
const LISTS = new Set(['missing']);
const PLAIN: Record<string, string> = { request: '请求', response: '应答' };

export interface Told {
  text: string;
  /** the language of the text where it isn't the window's */
  lang: 'en' | undefined;
}

export function told(lang: 'en' | 'zh', text: string, words: Words | null | undefined, numbers: Numbers, own: (key: string) => string | undefined): Told {
  if (lang === 'en' || text === '') return { text: numbers.text(text), lang: undefined };
  const teller = new Teller(numbers, own);
  const said = (words && teller.say(words, () => null)) || sayHeard(text, (w, inner) => teller.say(w, inner) ?? '');
  return said ? { text: said, lang: undefined } : { text: numbers.text(text), lang: 'en' };
}

class Teller {
  constructor(private readonly numbers: Numbers, private readonly own: (key: string) => string | undefined) {}

  /** null for a code that this window has no sentence for: the program may be newer than the page. */
  say(words: Words, inner: (text: string) => string | null): string | null {
    const template: string | undefined = CHINESE[words.code as Code];
    if (template === undefined) return null;
    return template.replace(/\{(\w+)\}/g, (place, name: string) => this.value(words, name, inner) ?? place);
  }

  private value(words: Words, name: string, inner: (text: string) => string | null): string | undefined {
    const sentence = words.inner[name];
    if (sentence) return this.say(sentence, inner) ?? '';
    const n = words.numbers[name] as number | undefined;
    if (n !== undefined) return BARE.has(name) ? String(n) : this.numbers.count(n);
    const text = words.texts[name] as string | undefined;
    if (text === undefined) return undefined;
    const dictionary = OWN_WORDS[name];
    if (dictionary) return text.split(', ').map((w) => this.own(dictionary + w) ?? this.own(`redline.${w}`) ?? this.numbers.text(w)).join('、');
    if (LISTS.has(name)) return text.split(', ').map((one) => this.numbers.text(inner(one) ?? one)).join('、');
    return this.numbers.text(inner(text) ?? PLAIN[text] ?? text);
  }
}
