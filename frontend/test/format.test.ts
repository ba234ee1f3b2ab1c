import { describe, expect, it } from 'vitest';
import { makeFormat, utf8Length } from '../src/model/format';

const en = makeFormat('en');

describe('figures as words', () => {
  it('writes exact bytes with separators and short sizes in powers of 1,000', () => {
    expect(en.bytes(12063)).toBe('12,063 B');
    expect(en.size(999)).toBe('999 B');
    expect(en.size(3300)).toBe('3.3 kB');
    expect(en.size(999_960)).toBe('1 MB');
    expect(en.size(1_240_000)).toBe('1.2 MB');
  });

  it('writes durations in the unit a person reads', () => {
    expect(en.millis(812)).toBe('812 ms');
    expect(en.millis(1114)).toBe('1.11 s');
    expect(en.millis(125_000)).toBe('2 min 5 s');
  });

  it('gives no share where there is no whole, rather than 0 %', () => {
    expect(en.share(0, 0)).toBe('');
    expect(en.share(0, 10)).toBe('0.0%');
    expect(en.share(805, 1000)).toBe('80.5%');
  });

  it('counts bytes as UTF-8 does, lone surrogates as U+FFFD', () => {
    for (const s of ['', 'abc', 'é', '周日采购', '😀x', 'a\u0000b']) expect(utf8Length(s)).toBe(new TextEncoder().encode(s).length);
    expect(utf8Length('\ud83d')).toBe(3);
  });
});
