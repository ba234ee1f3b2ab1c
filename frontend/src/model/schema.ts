// A form from a tool's JSON schema. Only what a form can hold is made a field; the rest is written as JSON.

export type FieldType = 'string' | 'number' | 'integer' | 'boolean' | 'choice' | 'json';

export interface Field {
  name: string;
  type: FieldType;
  description: string;
  required: boolean;
  choices: string[];
}

interface Property {
  type?: unknown;
  enum?: unknown;
  description?: unknown;
}

/** Fields in the schema's own order; none for anything that is no object schema. */
export function fields(schema: unknown): Field[] {
  const s = (schema ?? {}) as { properties?: unknown; required?: unknown };
  if (typeof s.properties !== 'object' || s.properties === null) return [];
  const required = Array.isArray(s.required) ? s.required : [];
  return Object.entries(s.properties as Record<string, Property>).map(([name, p]) => {
    const choices = Array.isArray(p?.enum) ? p.enum.filter((c): c is string => typeof c === 'string') : [];
    return {
      name, type: fieldType(p?.type, choices), description: typeof p?.description === 'string' ? p.description : '',
      required: required.includes(name), choices,
    };
  });
}

function fieldType(type: unknown, choices: string[]): FieldType {
  if (choices.length > 0) return 'choice';
  if (type === 'string' || type === 'number' || type === 'integer' || type === 'boolean') return type;
  return 'json';
}

export interface FormProblem {
  name: string;
  /** key under "form." */
  kind: 'required' | 'number' | 'json';
}

/**
 * The arguments as JSON text. Numbers keep the digits as typed. Empty optional fields are left out.
 */
export function argumentsOf(list: readonly Field[], values: Readonly<Record<string, string>>): { json: string; problems: FormProblem[] } {
  const members: string[] = [];
  const problems: FormProblem[] = [];
  for (const f of list) {
    const text = values[f.name] ?? '';
    if (text === '' && !(f.required && f.type === 'string' && f.name in values)) {
      if (f.required) problems.push({ name: f.name, kind: 'required' });
      continue;
    }
    const value = valueOf(f, text);
    if (value === null) problems.push({ name: f.name, kind: f.type === 'json' ? 'json' : 'number' });
    else members.push(`${JSON.stringify(f.name)}:${value}`);
  }
  return { json: `{${members.join(',')}}`, problems };
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
