// A session's settings as a form: every field a text, checked before it is sent.
import type { Settings } from '../api/types.gen';

export type SettingsForm = Record<keyof Settings, string>;

export interface SettingsProblem {
  field: keyof Settings;
  /** key under "settings.problem." */
  kind: 'required' | 'number' | 'whole' | 'object';
}

const WHOLE: readonly (keyof Settings)[] = ['contextWindow', 'maxSteps'];

export function toForm(s: Settings): SettingsForm {
  const whole = (n: number) => (n === 0 ? '' : String(n));
  return {
    baseURL: s.baseURL, model: s.model, profile: s.profile, apiKeyEnv: s.apiKeyEnv, apiKeyKeyring: s.apiKeyKeyring, system: s.system, temperature: s.temperature,
    maxTokens: s.maxTokens, contextWindow: whole(s.contextWindow), maxSteps: whole(s.maxSteps), params: s.params, servers: s.servers,
  };
}

export function fromForm(f: SettingsForm): Settings {
  return { ...f, contextWindow: Number(f.contextWindow.trim() || 0), maxSteps: Number(f.maxSteps.trim() || 0) };
}

/** What can be told here; the program checks the rest, comments and trailing commas in JSON included. */
export function problems(f: SettingsForm): SettingsProblem[] {
  const out: SettingsProblem[] = [];
  for (const field of ['baseURL', 'model'] as const) if (f[field].trim() === '') out.push({ field, kind: 'required' });
  if (f.temperature.trim() !== '' && !Number.isFinite(Number(f.temperature))) out.push({ field: 'temperature', kind: 'number' });
  for (const field of [...WHOLE, 'maxTokens' as const]) if (f[field].trim() !== '' && !/^[1-9]\d*$/.test(f[field].trim())) out.push({ field, kind: 'whole' });
  for (const field of ['params', 'servers'] as const) {
    const text = f[field].trim();
    if (text !== '' && !(text.startsWith('{') && text.endsWith('}'))) out.push({ field, kind: 'object' });
  }
  return out;
}

export function isChanged(f: SettingsForm, s: Settings): boolean {
  const before = toForm(s);
  return (Object.keys(before) as (keyof Settings)[]).some((k) => before[k] !== f[k]);
}
