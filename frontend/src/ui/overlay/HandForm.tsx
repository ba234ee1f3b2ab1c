import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { ToolInfo } from '../../api/types.gen';
import { argumentsOf, fields, pathOf, rowsOf, without, type Field, type FormProblem, type Values } from '../../model/schema';
import { visible } from '../../model/visible';
import { callTool, show } from '../../state/actions';
import { useApp } from '../../state/store';
import { Dialog } from '../Dialog';
import { useWords } from '../words';

interface Part {
  field: Field;
  path: string;
  values: Values;
  problems: readonly FormProblem[];
  onValues: (v: Values) => void;
}

/** What names an input: a path may hold anything. */
const idOf = (path: string) => `hand-${encodeURIComponent(path.slice(1))}`;

function Input({ field, path, values, onValues }: Part) {
  const { t } = useWords();
  const common = { id: idOf(path), value: values[path] ?? '', onChange: (e: { target: { value: string } }) => onValues({ ...values, [path]: e.target.value }) };
  if (field.type === 'choice' || field.type === 'boolean') {
    const choices = field.type === 'boolean' ? ['true', 'false'].map((v) => ({ json: v, label: v })) : field.choices;
    return (
      <select className="field" {...common}>
        <option value="">{t('form.unset')}</option>
        {choices.map((c) => <option key={c.json} value={c.json}>{visible(c.label)}</option>)}
      </select>
    );
  }
  const hint = visible(field.standard);
  if (field.type === 'json') return <textarea className="field mono" placeholder={hint || '{ }'} spellCheck={false} {...common} />;
  const text = field.type === 'string';
  return <input className={text ? 'field' : 'field mono'} placeholder={hint} spellCheck={false} inputMode={text ? 'text' : 'decimal'} {...common} />;
}

/** A list: a row for each value. */
function Rows(p: Part) {
  const { t } = useWords();
  const { field, path, values, onValues } = p;
  const count = rowsOf(values, path);
  return (
    <div className="rows-of" role="group" aria-label={visible(field.name)}>
      {Array.from({ length: count }, (_, i) => (
        <div key={i} className="row-of">
          <div className="grow"><Value {...p} field={field.item as Field} path={`${path}/${i}`} /></div>
          <button type="button" className="btn small square" title={t('form.less', { n: i + 1 })} aria-label={t('form.less', { n: i + 1 })} onClick={() => onValues(without(values, path, i))}><X className="icon" /></button>
        </div>
      ))}
      <button type="button" id={idOf(path)} className="btn small line" onClick={() => onValues({ ...values, [path]: String(count + 1) })}><Plus className="icon" />{t('form.add')}</button>
    </div>
  );
}

function Value(p: Part) {
  const { say } = useWords();
  const { field, path, problems } = p;
  const problem = problems.find((x) => x.path === path);
  return (
    <>
      {field.type === 'object' ? <div className="group-of" role="group" aria-label={visible(field.name)}>{field.fields.map((f) => <Row key={f.name} {...p} field={f} path={pathOf(path, f.name)} />)}</div>
        : field.type === 'list' ? <Rows {...p} /> : <Input {...p} />}
      {problem && <span className="wrong" role="alert">{say(`form.problem.${problem.kind}`)}</span>}
    </>
  );
}

function Row(p: Part) {
  const { t } = useWords();
  const { field, path } = p;
  return (
    <div className="form-row">
      <label htmlFor={idOf(path)}><span className="mono">{visible(field.name)}</span>{field.required && <span className="t3 s11">{t('form.required')}</span>}</label>
      <Value {...p} />
      {field.description !== '' && <small>{visible(field.description)}</small>}
    </div>
  );
}

/** A call by hand, with a form from the tool's own schema. What will be sent is shown as it will be sent. */
export function HandForm({ tool }: { tool: ToolInfo }) {
  const { t } = useWords();
  const frame = useApp((s) => s.view?.carrier.frame);
  const list = fields(tool.schema);
  const [values, setValues] = useState<Values>(list.some((f) => f.name === 'frameCursor') && frame ? { [pathOf('', 'frameCursor')]: frame.cursor } : {});
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
        {list.map((f) => <Row key={f.name} field={f} path={pathOf('', f.name)} values={values} problems={asked ? problems : []} onValues={setValues} />)}
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
