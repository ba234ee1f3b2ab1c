import { useId } from 'react';
import type { SessionSettings, Settings } from '../../api/types.gen';
import type { SettingsForm as Form, SettingsProblem } from '../../model/settings';
import { useWords } from '../words';

type Field = keyof Settings;

interface Props {
  form: Form;
  of: SessionSettings;
  problems: readonly SettingsProblem[];
  onChange?: (form: Form) => void;
}

/** One field with its name, its hint and what is wrong with it. */
function Row({ field, children, hint, problems, id }: { field: Field; children: React.ReactNode; hint?: string; problems: readonly SettingsProblem[]; id: string }) {
  const { t, say } = useWords();
  const problem = problems.find((p) => p.field === field);
  return (
    <div className="form-row">
      <label htmlFor={id}>{t(`settings.${field}`)}</label>
      {children}
      {problem ? <span className="wrong" role="alert">{say(`settings.problem.${problem.kind}`)}</span> : hint && <small>{hint}</small>}
    </div>
  );
}

export function SettingsFields({ form, of, problems, onChange }: Props) {
  const { t } = useWords();
  const base = useId();
  const fixed = !onChange;
  const put = (field: Field) => (e: { target: { value: string } }) => onChange?.({ ...form, [field]: e.target.value });
  const line = (field: Field, hint?: string, mono = true, placeholder = '') => (
    <Row field={field} hint={hint} problems={problems} id={base + field}>
      <input id={base + field} className={mono ? 'field mono' : 'field'} value={form[field]} readOnly={fixed} spellCheck={false} autoComplete="off" placeholder={placeholder} data-testid={`settings-${field}`} onChange={put(field)} />
    </Row>
  );
  const text = (field: Field, rows: number, hint: string, mono: boolean, placeholder: string) => (
    <Row field={field} hint={hint} problems={problems} id={base + field}>
      <textarea id={base + field} className={mono ? 'field mono' : 'field'} rows={rows} value={form[field]} readOnly={fixed} spellCheck={!mono} placeholder={placeholder} data-testid={`settings-${field}`} onChange={put(field)} />
    </Row>
  );
  return (
    <>
      <div className="pairs">
        {line('baseURL', undefined, true, 'http://127.0.0.1:1234/v1')}
        {line('model')}
        <Row field="profile" problems={problems} id={`${base}profile`}>
          <select id={`${base}profile`} className="field" value={form.profile} disabled={fixed} onChange={put('profile')}>
            <option value="">{t('settings.profile.auto')}</option>
            {[...new Set([...of.profiles, form.profile])].filter((p) => p !== '').map((p) => <option key={p} value={p}>{p}</option>)}
          </select>
        </Row>
        {line('temperature')}
        {line('maxTokens')}
        {line('contextWindow')}
        {line('apiKeyEnv', t('settings.apiKeyEnv.why'), true, 'OPENAI_API_KEY')}
        {line('apiKeyKeyring', t('settings.apiKeyKeyring.why', { menu: t('keys.open') }))}
      </div>
      {text('system', 4, t('settings.system.why'), false, of.builtIn)}
      {text('servers', 8, t('settings.servers.why'), true, '{ "notes": { "command": "npx", "args": ["…"] } }')}
      <div className="pairs">
        {text('params', 3, t('settings.params.why'), true, '{ "top_p": 0.9 }')}
        {line('maxSteps', t('settings.maxSteps.why'))}
      </div>
    </>
  );
}
