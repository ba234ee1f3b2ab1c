// Numbers, sizes and times as words, through Intl in the chosen language and the local zone.
import { visible } from './visible';

export type Lang = 'en' | 'zh';

const LOCALE: Record<Lang, string> = { en: 'en-US', zh: 'zh-CN' };

/** Figures of one language. Formatters are costly to make, so each language makes its own once. */
export interface Format {
  lang: Lang;
  /** 12,063 */
  count(n: number): string;
  /** exact: 12,063 B */
  bytes(n: number): string;
  /** short: 1.2 MB, in powers of 1,000 */
  size(n: number): string;
  /** 812 ms, 1.11 s, 2 min 5 s */
  millis(ms: number): string;
  /** 14:02:43.232 in the local zone */
  clock(at: number): string;
  /** date and time, for lists */
  date(at: number): string;
  /** 80.5% of a part and its whole; the empty string when there is no whole */
  share(part: number, whole: number): string;
  /** $0.0137: two digits of a small amount, cents of a larger one */
  money(n: number, currency: string): string;
  plural(n: number): 'one' | 'other';
  /** a foreign text as it may stand in a sentence */
  text(s: string): string;
}

export function makeFormat(lang: Lang): Format {
  const locale = LOCALE[lang];
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const short = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const three = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const time = new Intl.DateTimeFormat(locale, {
    hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23',
  });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const rules = new Intl.PluralRules(locale);
  return {
    lang,
    count: (n) => whole.format(n),
    bytes: (n) => `${whole.format(n)} B`,
    size: (n) => sizeOf(n, short),
    millis: (ms) => millisOf(ms, whole, three),
    clock: (at) => (at > 0 ? time.format(at) : ''),
    date: (at) => (at > 0 ? date.format(at) : ''),
    share: (part, all) => (all > 0 ? percent.format(part / all) : ''),
    money: (n, currency) => moneyOf(n, currency, locale),
    plural: (n) => (rules.select(n) === 'one' ? 'one' : 'other'),
    text: visible,
  };
}

/** Digits behind the point of a very small amount. */
const MONEY_DIGITS = 8;

function moneyOf(n: number, currency: string, locale: string): string {
  const digits = n > 0 && n < 1 ? 2 - Math.floor(Math.log10(n)) : 2;
  const how: Intl.NumberFormatOptions = { minimumFractionDigits: 2, maximumFractionDigits: Math.min(digits, MONEY_DIGITS) };
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...how }).format(n);
  } catch {
    return `${new Intl.NumberFormat(locale, how).format(n)} ${currency}`; // no code of a currency
  }
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

function sizeOf(n: number, f: Intl.NumberFormat): string {
  let unit = 0;
  let value = n;
  // 999.95 would be written as 1,000.0 of the smaller unit
  while (value >= 999.95 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${f.format(value)} ${UNITS[unit]}`;
}

function millisOf(ms: number, whole: Intl.NumberFormat, fine: Intl.NumberFormat): string {
  if (ms < 999.5) return `${whole.format(ms)} ms`;
  if (ms < 60_000) return `${fine.format(ms / 1000)} s`;
  const s = Math.round(ms / 1000);
  return `${whole.format(Math.floor(s / 60))} min ${s % 60} s`;
}

/** The bytes of a text in UTF-8. Lone surrogates count as U+FFFD does: three. */
export function utf8Length(text: string): number {
  let n = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c < 0x80) n += 1;
    else if (c < 0x800) n += 2;
    else if (c >= 0xd800 && c < 0xdc00 && i + 1 < text.length && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      n += 4;
      i++;
    } else n += 3;
  }
  return n;
}

/** How much of a hash a chip shows, in hex digits. */
export const CHIP_DIGITS = 6;

export function shortHash(hash: string): string {
  return hash.slice(0, CHIP_DIGITS);
}
