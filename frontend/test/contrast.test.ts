import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync('src/styles/tokens.css', 'utf8');

function theme(name: string): Record<string, string> {
  const block = css.split(`[data-theme="${name}"]`)[1].split('}')[0];
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/gi)].map((m) => [m[1], m[2]]));
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m);
  return (x + 0.05) / (y + 0.05);
}

/** Text must reach AA, 4.5; marks and outlines that carry meaning 3. Each on every ground it stands on. */
const TEXT: [string, string[]][] = [
  ['t1', ['bg-app', 'bg-pane', 'bg-rail', 'bg-card', 'bg-raise', 'bg-hover', 'bg-sel', 'bg-code', 'bg-chip', 'ok-bg', 'bad-bg', 'warn-bg', 'add-strong', 'bad-strong', 'accent-bg']],
  ['t2', ['bg-app', 'bg-pane', 'bg-rail', 'bg-card', 'bg-raise', 'bg-hover', 'bg-sel', 'bg-code', 'bg-chip', 'bad-bg']],
  ['t3', ['bg-app', 'bg-pane', 'bg-rail', 'bg-card', 'bg-raise', 'bg-hover', 'bg-sel', 'bg-code']],
  ['accent', ['bg-app', 'bg-pane', 'bg-rail', 'bg-card', 'bg-raise', 'bg-sel', 'bg-code', 'accent-bg']],
  ['ok', ['bg-app', 'bg-pane', 'bg-rail', 'bg-card', 'bg-sel', 'bg-code', 'ok-bg', 'accent-bg']],
  ['warn', ['bg-app', 'bg-pane', 'bg-rail', 'bg-card', 'bg-sel', 'bg-hover', 'accent-bg']],
  ['bad', ['bg-app', 'bg-pane', 'bg-rail', 'bg-card', 'bg-code', 'bad-bg']],
  ['on-solid', ['accent-solid', 'bad-solid']],
];
const MARKS: [string, string[]][] = [
  ['line-3', ['bg-app', 'bg-pane', 'bg-rail', 'bg-card', 'bg-sel', 'bg-raise']],
  ['accent-mark', ['bg-app', 'bg-pane', 'bg-rail', 'bg-sel']],
  ['warn-mark', ['bg-app', 'bg-pane', 'bg-rail', 'bg-sel']],
  ['seg-prefix', ['bg-app', 'bg-pane', 'bg-rail', 'bg-sel']],
  ...[1, 2, 3, 4, 5, 6].map((n): [string, string[]] => [`lane-${n}`, ['bg-app', 'bg-pane', 'bg-rail', 'bg-sel']]),
  ['seg-hist', ['bg-app', 'bg-pane', 'bg-rail', 'bg-sel']],
];

describe.each(['dark', 'light'])('contrast of the %s theme', (name) => {
  const colours = theme(name);
  it.each(TEXT.flatMap(([ink, grounds]) => grounds.map((g) => [ink, g])))('text %s on %s reaches AA', (ink, ground) => {
    expect(contrast(colours[ink], colours[ground])).toBeGreaterThanOrEqual(4.5);
  });
  it.each(MARKS.flatMap(([ink, grounds]) => grounds.map((g) => [ink, g])))('mark %s on %s can be told', (ink, ground) => {
    expect(contrast(colours[ink], colours[ground])).toBeGreaterThanOrEqual(3);
  });
});

it('both themes define the same tokens', () => {
  expect(Object.keys(theme('light')).sort()).toEqual(Object.keys(theme('dark')).sort());
});
