// Whole sentences by key. {name} takes a parameter; numbers are written in the language's own form; {#name} is the
// number of a request, without separators. An entry with
// `one` and `other` is chosen by the plural rule of its `n`.

export type Params = Readonly<Record<string, string | number>>;
export type Entry = string | { one: string; other: string };
export type Dictionary<K extends string> = Readonly<Record<K, Entry>>;

export interface Numbers {
  count(n: number): string;
  plural(n: number): 'one' | 'other';
  /** a name or another foreign text, so that it can't change how the sentence around it is drawn */
  text(s: string): string;
}

export function translate(entry: Entry, params: Params, numbers: Numbers): string {
  const text = typeof entry === 'string' ? entry : entry[numbers.plural(Number(params.n ?? 0))];
  return text.replace(/\{(#?)(\w+)\}/g, (whole, sharp: string, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    if (sharp !== '') return `#${value}`;
    return typeof value === 'number' ? numbers.count(value) : numbers.text(value);
  });
}
