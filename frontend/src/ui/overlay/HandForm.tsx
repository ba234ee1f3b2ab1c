import { useState } from 'react';
import type { ToolInfo } from '../../api/types.gen';
import { argumentsOf, fields, type Field } from '../../model/schema';
import { visible } from '../../model/visible';
import { callTool, show } from '../../state/actions';
import { useApp } from '../../state/store';
import { Dialog } from '../Dialog';
import { useWords } from '../words';

function Input({ field, value, onChange }: { field: Field; value: string; onChange: (v: string) => void }) {
  const { t } = useWords();
  const id = `hand-${field.name}`;
  if (field.type === 'choice' || field.type === 'boolean') {
    const choices = field.type === 'boolean' ? ['true', 'false'] : field.choices;
    return (
      <select id={id} className="field" value={value} onChange={(e) => onChange(e.target.value)}>
        <option value="">{t('form.unset')}</option>
        {choices.map((c) => <option key={c} value={c}>{visible(c)}</option>)}
      </select>
    );
  }
  if (field.type === 'json') return <textarea id={id} className="field mono" value={value} placeholder="{ }" spellCheck={false} onChange={(e) => onChange(e.target.value)} />;
  return <input id={id} className={field.type === 'string' ? 'field' : 'field mono'} value={value} spellCheck={false} inputMode={field.type === 'string' ? 'text' : 'decimal'} onChange={(e) => onChange(e.target.value)} />;
}

/** A call by hand, with a form from the tool's own schema. What will be sent is shown as it will be sent. */
export function HandForm({ tool }: { tool: ToolInfo }) {
  const { t, say } = useWords();
  const frame = useApp((s) => s.view?.carrier.frame);
  const list = fields(tool.schema);
  const known: Record<string, string> = list.some((f) => f.name === 'frameCursor') && frame ? { frameCursor: frame.cursor } : {};
  const [values, setValues] = useState<Record<string, string>>(known);
  const [asked, setAsked] = useState(false);
  const { json, problems } = argumentsOf(list, values);
  const send = () => {
    setAsked(true);
    if (problems.length > 0) return;
    show(null);
    void callTool(tool, json);
  };
  return (
    <Dialog
      title={visible(tool.name)}
      width={520}
      footer={
        <>
          <button type="button" className="btn" onClick={() => show(null)}>{t('cancel')}</button>
          <button type="button" className="btn solid" data-testid="hand-send" onClick={send}>{t('hand.call')}</button>
        </>
      }
    >
      <form className="content padded" onSubmit={(e) => { e.preventDefault(); send(); }}>
        {tool.description !== '' && <p className="t2">{visible(tool.description)}</p>}
        {list.map((f) => {
          const problem = asked ? problems.find((p) => p.name === f.name) : undefined;
          return (
            <div key={f.name} className="form-row">
              <label htmlFor={`hand-${f.name}`}><span className="mono">{visible(f.name)}</span>{f.required && <span className="t3 s11">{t('form.required')}</span>}</label>
              <Input field={f} value={values[f.name] ?? ''} onChange={(v) => setValues({ ...values, [f.name]: v })} />
              {f.description !== '' && <small>{visible(f.description)}</small>}
              {problem && <span className="wrong" role="alert">{say(`form.problem.${problem.kind}`)}</span>}
            </div>
          );
        })}
        <div className="form-row">
          <small>{t('hand.sends')}</small>
          <pre className="block">{visible(json)}</pre>
          <small>{t('hand.why')}</small>
        </div>
        <button type="submit" className="reader-only" tabIndex={-1}>{t('hand.call')}</button>
      </form>
    </Dialog>
  );
}
