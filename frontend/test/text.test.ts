import { describe, expect, it } from 'vitest';
import { around } from '../src/model/around';
import { actionItem, lineDiff, noticeItem, visibleItem } from '../src/model/frame';
import { differences, hunkRows, pieces } from '../src/model/hunks';
import { LongRows } from '../src/model/longrows';
import { prettyTokens } from '../src/model/pretty';
import { commandOf } from '../src/model/record';
import { argumentsOf, fields, pathOf, without } from '../src/model/schema';
import { visible } from '../src/model/visible';
import { wrapRows } from '../src/model/wrap';

describe('pretty by tokens', () => {
  it('keeps every digit, duplicate keys and 1.0 as they were sent', () => {
    const sent = '{"a":9007199254740993,"a":1.0,"s":"x,{y}:\\"z\\\\","e":[],"o":{ },"n":[1,2]}';
    const pretty = prettyTokens(sent);
    expect(pretty).toContain('"a": 9007199254740993,\n  "a": 1.0,');
    expect(pretty).toContain('"s": "x,{y}:\\"z\\\\"');
    expect(pretty).toContain('"e": [],\n  "o": {},');
    expect(pretty.replace(/\s/g, '')).toBe(sent.replace(/\s/g, ''));
  });

  it('passes a cut or broken text through without losing a character', () => {
    for (const s of ['{"a":"unfinished', ']]}', 'data: {"x":1}', '{"a":tru']) expect(prettyTokens(s).replace(/\s/g, '')).toBe(s.replace(/\s/g, ''));
  });

  it('is linear and bounded on hostile depth', () => {
    const deep = '['.repeat(20_000);
    expect(prettyTokens(deep).length).toBeLessThan(deep.length * 100);
  });
});

describe('rows of a long text', () => {
  it('are the text when joined, whatever the width', () => {
    const text = 'a😀周日采购\tb\n\nlong '.repeat(50) + 'end';
    for (const columns of [8, 20, 300]) expect(wrapRows(text, columns).map((r) => r.text).join('')).toBe(text);
  });

  it('never split a pair, and number lines only where they begin', () => {
    const rows = wrapRows('😀'.repeat(9) + '\nx', 8);
    expect(rows.map((r) => r.text.length)).toEqual([8, 8, 3, 1]);
    expect(rows.map((r) => r.line)).toEqual([1, 0, 0, 2]);
    expect(wrapRows('', 80)).toEqual([{ text: '', start: 0, line: 1 }]);
  });
});

describe('rows of a text that is read page by page', () => {
  const text = JSON.stringify({ a: [1, 23.5, { b: '周日采购, "x"\n[y]', c: [], d: {} }], e: 'long '.repeat(40), f: [[[true, null]]] }, null, 1).repeat(3) + '\nplain\n\nend';
  for (const pretty of [false, true]) {
    it(`are those of the whole, wherever it is cut, ${pretty ? 'pretty' : 'as sent'}`, () => {
      const want = new LongRows(20, pretty).read(text);
      expect(want.rows.map((r) => r.text).join('')).toBe(want.shown);
      for (let step = 1; step < 60; step += 7) {
        const long = new LongRows(20, pretty);
        for (let end = step; end < text.length; end += step) long.read(text.slice(0, end));
        const got = long.read(text);
        expect(got.shown).toBe(want.shown);
        expect(got.rows).toEqual(want.rows);
      }
    });
  }
});

describe('around the first difference', () => {
  it('finds where both texts run together again', () => {
    const got = around('{"x":"Opened Notes; it lists 12","role":"assistant"}', '{"x":"Opened Notes: 12","role":"assistant"}');
    expect(got.base.changed).toBe('; it lists');
    expect(got.next.changed).toBe(':');
    expect(got.base.before).toBe(got.next.before);
    expect(got.column).toBe(got.base.before.length);
  });

  it('does not split a surrogate pair', () => {
    expect(around('a😀b', 'a😁b').base.changed).toBe('😀');
  });
});

describe('lines of the block', () => {
  it('reads items, and shows what does not fit as it is', () => {
    expect(visibleItem('[n-1] note: Groceries — Bread — eggs')).toEqual({ id: 'n-1', kind: 'note', title: 'Groceries', content: 'Bread — eggs' });
    expect(visibleItem('just words')).toEqual({ id: '', kind: '', title: 'just words', content: '' });
    expect(actionItem('delete note:n-1 — Delete it [risk high] [asks for confirmation]')).toEqual({ command: 'delete note:n-1', label: 'Delete it', risk: 'high', confirm: true });
    expect(noticeItem('calendar — Closed — new')).toEqual({ app: 'calendar', text: 'Closed — new' });
  });

  it('aligns two blocks by lines', () => {
    expect(lineDiff('a\nb\nc', 'a\nx\nc').map((l) => l.sign + l.text)).toEqual([' a', '-b', '+x', ' c']);
    expect(lineDiff('', 'a').map((l) => l.sign)).toEqual(['+']);
  });
});

describe('hunks', () => {
  const line = (sign: string, text: string) => ({ sign, old: 1, new: 1, text, spans: [] });

  it('cut a line at its changed words without losing text, also with bad spans', () => {
    expect(pieces('abcdef', [{ from: 2, to: 4 }])).toEqual([{ text: 'ab', changed: false }, { text: 'cd', changed: true }, { text: 'ef', changed: false }]);
    expect(pieces('abc', [{ from: 2, to: 99 }, { from: 0, to: 3 }]).map((p) => p.text).join('')).toBe('abc');
  });

  it('give the places to jump to: one per run', () => {
    const rows = hunkRows([{ kind: 'message', index: 1, role: 'tool', state: 'changed', lines: [line(' ', 'a'), line('-', 'b'), line('+', 'c'), line(' ', 'd'), line('+', 'e')] }]);
    expect(differences(rows)).toEqual([2, 5]);
  });
});

describe('forms and records', () => {
  it('makes arguments that keep the digits as typed', () => {
    const list = fields({ properties: { cmd: { type: 'string' }, limit: { type: 'integer' }, deep: { type: 'object' }, on: { type: 'boolean' }, mode: { enum: ['a', 'b'] } }, required: ['cmd'] });
    expect(list.map((f) => f.type)).toEqual(['string', 'integer', 'json', 'boolean', 'choice']);
    expect(argumentsOf(list, { '/cmd': 'a"b', '/limit': '9007199254740993', '/deep': '{"x":1.0}' })).toEqual({ json: '{"cmd":"a\\"b","limit":9007199254740993,"deep":{"x":1.0}}', problems: [] });
    expect(argumentsOf(list, { '/limit': '1.5', '/deep': '{' }).problems.map((p) => p.kind)).toEqual(['required', 'number', 'json']);
    expect(fields('no schema')).toEqual([]);
  });

  it('goes into objects and lists, and keeps choices of any kind', () => {
    const list = fields({
      type: 'object',
      required: ['where', 'ids'],
      properties: {
        where: { type: 'object', required: ['city'], properties: { city: { type: 'string' }, at: { type: 'object', properties: { lat: { type: 'number' } } } } },
        ids: { type: 'array', items: { type: 'integer' } },
        level: { enum: [1, 2.5, 'high', null] },
        maybe: { anyOf: [{ type: 'string', description: 'x' }, { type: 'null' }] },
        either: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
        free: { type: 'object', additionalProperties: { type: 'string' } },
        people: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
      },
    });
    expect(list.map((f) => f.type)).toEqual(['object', 'list', 'choice', 'string', 'json', 'json', 'list']);
    const values = { '/where/city': 'Ulm', '/where/at/lat': '48.40', '/ids': '2', '/ids/0': '90071992547409931', '/ids/1': '2', '/level': '2.5', '/people': '1', '/people/0/name': 'Ada' };
    expect(argumentsOf(list, values)).toEqual({ json: '{"where":{"city":"Ulm","at":{"lat":48.40}},"ids":[90071992547409931,2],"level":2.5,"people":[{"name":"Ada"}]}', problems: [] });
    expect(argumentsOf(list, { '/ids': '1' }).problems).toEqual([{ path: '/where/city', kind: 'required' }, { path: '/ids/0', kind: 'required' }]);
    expect(argumentsOf(fields({ properties: { a: { type: 'object', required: ['b'], properties: { b: { type: 'string' }, c: { type: 'string' } } } } }), { '/a/c': 'x' }).problems).toEqual([{ path: '/a/b', kind: 'required' }]);
    expect(argumentsOf(fields({ properties: { a: { type: 'object', required: ['b'], properties: { b: { type: 'string' } } } } }), {})).toEqual({ json: '{}', problems: [] });
    expect(fields({ properties: { a: { properties: { b: {} } } } }).map((f) => f.type)).toEqual(['json']);
  });

  it('moves the rows behind a removed one up, and no other list’s', () => {
    expect(without({ '/a': '3', '/a/0': 'x', '/a/1/b': 'y', '/a/2/b': 'z', '/ab': '1', '/ab/0': 'q' }, '/a', 1)).toEqual({ '/a': '2', '/a/0': 'x', '/a/1/b': 'z', '/ab': '1', '/ab/0': 'q' });
    expect(pathOf('', 'a/b~c')).toBe('/a~1b~0c');
  });

  it('ends at a schema that holds itself', () => {
    const schema: Record<string, unknown> = { type: 'object', properties: {} };
    (schema.properties as Record<string, unknown>).self = schema;
    expect(JSON.stringify(fields(schema)).match(/"name":"self"/g)).toHaveLength(5);
  });

  it('names what an operation did by its command', () => {
    expect(commandOf('{"frameCursor":"c1","cmd":"open \\"x\\""}')).toBe('open "x"');
    expect(commandOf('{"id":12345678901234567890}')).toBe('{"id":12345678901234567890}');
    expect(commandOf('{}')).toBe('');
  });

  it('shows characters that disguise a text by name', () => {
    expect(visible('a\u202eb\u0000\n')).toBe('a⟦U+202E⟧b⟦U+0000⟧\n');
  });
});
