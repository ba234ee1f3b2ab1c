// A form from a tool's JSON schema. Objects become groups and lists become rows; what a form can't hold, such as a choice
// between shapes, is written as JSON.

export type FieldType = 'string' | 'number' | 'integer' | 'boolean' | 'choice' | 'json' | 'object' | 'list';

export interface Choice {
  /** the value as JSON */
  json: string;
  label: string;
}

export interface Field {
  name: string;
  type: FieldType;
  description: string;
  required: boolean;
  choices: Choice[];
  /** of an object, in the schema's own order */
  fields: Field[];
  /** of a list */
  item: Field | null;
  /** what the schema says is taken when nothing is given, as JSON; "" when it says nothing */
  standard: string;
}

/** How deep a form goes into objects and lists; what lies deeper is written as JSON. */
const DEEPEST = 4;

type Schema = Readonly<Record<string, unknown>>;

const isObject = (v: unknown): v is Schema => typeof v === 'object' && v !== null && !Array.isArray(v);

/** Fields in the schema's own order; none for anything that is no object schema. */
export function fields(schema: unknown, depth = 0): Field[] {
  if (!isObject(schema) || !isObject(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, p]) => field(name, p, required.includes(name), depth));
}

function field(name: string, written: unknown, required: boolean, depth: number): Field {
  const p = plain(isObject(written) ? written : {});
  const choices = choicesOf(p);
  const type = fieldType(p, choices, depth);
  return {
    name, type, required, choices, description: typeof p.description === 'string' ? p.description : '',
    fields: type === 'object' ? fields(p, depth + 1) : [], item: type === 'list' ? field('', p.items, true, depth + 1) : null,
    standard: p.default === undefined ? '' : JSON.stringify(p.default),
  };
}

const notNull = (v: unknown) => isObject(v) && v.type !== 'null';

/** A schema that only allows null beside one shape is that shape: what is left empty is left out. */
function plain(p: Schema): Schema {
  for (const key of ['anyOf', 'oneOf'] as const) {
    const list = p[key];
    if (!Array.isArray(list)) continue;
    const rest = list.filter(notNull);
    if (rest.length === 1) return { ...p, ...(rest[0] as Schema), [key]: undefined };
  }
  if (!Array.isArray(p.type)) return p;
  const types = p.type.filter((t) => t !== 'null');
  return types.length === 1 ? { ...p, type: types[0] } : p;
}

function choicesOf(p: Schema): Choice[] {
  const list: unknown[] = Array.isArray(p.enum) ? p.enum : p.const !== undefined ? [p.const] : [];
  return list.map((v) => ({ json: JSON.stringify(v), label: typeof v === 'string' ? v : JSON.stringify(v) }));
}

function fieldType(p: Schema, choices: Choice[], depth: number): FieldType {
  if (choices.length > 0) return 'choice';
  const type = p.type;
  if (type === 'string' || type === 'number' || type === 'integer' || type === 'boolean') return type;
  if (depth >= DEEPEST || Array.isArray(p.anyOf) || Array.isArray(p.oneOf) || Array.isArray(p.allOf) || p.$ref !== undefined) return 'json';
  if (type === 'array' && isObject(p.items)) return 'list';
  // an object whose members have free names can't be a group
  return type === 'object' && isObject(p.properties) && !isObject(p.additionalProperties) && Object.keys(p.properties).length > 0 ? 'object' : 'json';
}

/** What was written, by the path of each field; the length of a list stands under its own path. */
export type Values = Readonly<Record<string, string>>;

export const pathOf = (parent: string, name: string) => `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** How many rows a list has. */
export const rowsOf = (values: Values, path: string) => Number(values[path] ?? 0);

/** The values without one row of a list: those behind it move up. */
export function without(values: Values, path: string, row: number): Values {
  const out: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) {
    const m = key.startsWith(`${path}/`) ? /^(\d+)(\/.*)?$/.exec(key.slice(path.length + 1)) : null;
    const at = m ? Number(m[1]) : -1;
    if (!m || at < row) out[key] = value;
    else if (at > row) out[`${path}/${at - 1}${m[2] ?? ''}`] = value;
  }
  out[path] = String(Math.max(0, rowsOf(values, path) - 1));
  return out;
}

export interface FormProblem {
  path: string;
  /** key under "form.problem." */
  kind: 'required' | 'number' | 'json';
}

/**
 * The arguments as JSON text. Numbers keep the digits as typed. Empty optional fields are left out, and so are groups and
 * lists in which nothing is given.
 */
export function argumentsOf(list: readonly Field[], values: Values): { json: string; problems: FormProblem[] } {
  const problems: FormProblem[] = [];
  return { json: members(list, values, '', problems) ?? '{}', problems };
}

/** The members of an object; null when none is given. */
function members(list: readonly Field[], values: Values, parent: string, problems: FormProblem[]): string | null {
  const out: string[] = [];
  for (const f of list) {
    const json = written(f, values, pathOf(parent, f.name), problems);
    if (json !== null) out.push(`${JSON.stringify(f.name)}:${json}`);
  }
  return out.length > 0 ? `{${out.join(',')}}` : null;
}

/** One value as JSON; null when it is left out. */
function written(f: Field, values: Values, path: string, problems: FormProblem[]): string | null {
  switch (f.type) {
    case 'object': {
      const inner: FormProblem[] = [];
      const json = members(f.fields, values, path, inner);
      // a group that may be left out asks for nothing until something of it is given
      if (json !== null || f.required || inner.some((p) => p.kind !== 'required')) problems.push(...inner);
      return json ?? (f.required ? '{}' : null);
    }
    case 'list': {
      const rows = Array.from({ length: rowsOf(values, path) }, (_, i) => written(f.item as Field, values, `${path}/${i}`, problems) ?? 'null');
      return rows.length > 0 || f.required ? `[${rows.join(',')}]` : null;
    }
    default:
      return scalar(f, values, path, problems);
  }
}

function scalar(f: Field, values: Values, path: string, problems: FormProblem[]): string | null {
  const text = values[path] ?? '';
  // an empty text is a text where one is asked for and was touched, or stands in a row of its own
  if (text === '' && !(f.required && f.type === 'string' && (path in values || f.name === ''))) {
    if (f.required) problems.push({ path, kind: 'required' });
    return null;
  }
  const value = valueOf(f, text);
  if (value === null) problems.push({ path, kind: f.type === 'json' ? 'json' : 'number' });
  return value;
}

function valueOf(f: Field, text: string): string | null {
  const t = text.trim();
  switch (f.type) {
    case 'integer':
      return /^-?(0|[1-9]\d*)$/.test(t) ? t : null;
    case 'number':
      return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(t) ? t : null;
    case 'boolean':
      return t === 'true' ? 'true' : 'false';
    case 'choice':
      return text;
    case 'json':
      try {
        JSON.parse(t);
        return t;
      } catch {
        return null;
      }
    default:
      return JSON.stringify(text);
  }
}
