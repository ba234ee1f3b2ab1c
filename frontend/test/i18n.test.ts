import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DICTIONARIES, makeT } from '../src/i18n';
import type { Entry } from '../src/i18n/translate';
import { makeFormat } from '../src/model/format';
import { REDLINE_IDS } from '../src/model/redlines';
import { VERDICTS } from '../src/model/verdict';

const forms = (e: Entry) => (typeof e === 'string' ? [e] : [e.one, e.other]);
const names = (e: Entry) => [...new Set(forms(e).flatMap((s) => s.match(/\{#?\w+\}/g) ?? []))].sort();
const { en, zh } = DICTIONARIES;

function sources(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((f) => (f.isDirectory() ? sources(join(dir, f.name)) : /\.tsx?$/.test(f.name) ? [readFileSync(join(dir, f.name), 'utf8')] : []));
}

describe('dictionaries', () => {
  it('hold the same keys', () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  });

  it('take the same parameters, and leave none empty', () => {
    for (const key of Object.keys(en) as (keyof typeof en)[]) {
      expect([key, names(zh[key])]).toEqual([key, names(en[key])]);
      for (const s of [...forms(en[key]), ...forms(zh[key])]) expect(s.trim(), key).not.toBe('');
    }
  });

  it('have words for every verdict and every redline', () => {
    for (const v of VERDICTS) expect(en).toHaveProperty([`verdict.${v}`]);
    for (const id of REDLINE_IDS) expect(en).toHaveProperty([`redline.${id}`]);
  });

  it('have no key that nothing says', () => {
    const text = sources('src/ui').concat(sources('src/model')).join('\n');
    const made = [...text.matchAll(/`([a-z]+(?:\.[a-z]+)*\.)\$\{/g)].map((m) => m[1]);
    const unused = Object.keys(en).filter((k) => !text.includes(`'${k}'`) && !made.some((p) => k.startsWith(p)));
    expect(unused).toEqual([]);
  });

  it('write numbers in the form of the language, and numbers of requests plainly', () => {
    const t = makeT('en', makeFormat('en'));
    expect(t('requests', { n: 1 })).toBe('1 request');
    expect(t('requests', { n: 12063 })).toBe('12,063 requests');
    expect(t('rung.link', { at: 12063 })).toBe('link #12063');
    expect(makeT('zh', makeFormat('zh'))('requests', { n: 1 })).toBe('1 个请求');
  });
});
