// What the window remembers about itself. Read back defensively: another version may have written it.
import type { Lang } from './format';

export type Theme = 'system' | 'dark' | 'light';

export interface Prefs {
  lang: Lang | null; // null: the system's
  theme: Theme;
  timeline: number; // px
  prefix: number;
  carrier: number;
  drawer: number;
  ladder: number;
  prefixFolded: boolean;
  carrierFolded: boolean;
}

export const DEFAULT_PREFS: Prefs = {
  lang: null, theme: 'system', timeline: 360, prefix: 240, carrier: 364, drawer: 276, ladder: 520, prefixFolded: false, carrierFolded: false,
};

/** Least and greatest size of each splitter, in px. */
export const BOUNDS = {
  timeline: [220, 560], prefix: [180, 480], carrier: [260, 640], drawer: [140, 900], ladder: [300, 720],
} as const satisfies Record<string, readonly [number, number]>;

export type Sized = keyof typeof BOUNDS;

export function clampSize(name: Sized, px: number): number {
  const [low, high] = BOUNDS[name];
  return Math.round(Math.max(low, Math.min(high, px)));
}

/** Part of the window's height that the drawer takes until a person says otherwise; more than its least on a tall one. */
const DRAWER_SHARE = 0.3;

/** What was stored, and where nothing was the defaults, for a window of that height in px. */
export function readPrefs(text: string | null, height = 0): Prefs {
  let raw: Record<string, unknown> = {};
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value === 'object' && value !== null) raw = value as Record<string, unknown>;
  } catch {
    // unreadable: start from the defaults
  }
  const fresh = { ...DEFAULT_PREFS, drawer: clampSize('drawer', Math.max(DEFAULT_PREFS.drawer, height * DRAWER_SHARE)) };
  const size = (name: Sized) => (typeof raw[name] === 'number' ? clampSize(name, raw[name]) : fresh[name]);
  return {
    lang: raw.lang === 'en' || raw.lang === 'zh' ? raw.lang : null,
    theme: raw.theme === 'dark' || raw.theme === 'light' ? raw.theme : 'system',
    timeline: size('timeline'), prefix: size('prefix'), carrier: size('carrier'), drawer: size('drawer'), ladder: size('ladder'),
    prefixFolded: raw.prefixFolded === true, carrierFolded: raw.carrierFolded === true,
  };
}

/** The first preferred language there are words for; English else. */
export function systemLang(languages: readonly string[]): Lang {
  for (const l of languages) {
    if (/^zh\b/i.test(l)) return 'zh';
    if (/^en\b/i.test(l)) return 'en';
  }
  return 'en';
}
