import { Fragment } from 'react';
import { EXAMPLES } from '../../model/filter';
import { SHEET } from '../../model/keys';
import { VERDICTS } from '../../model/verdict';
import { Dialog } from '../Dialog';
import { Verdict } from '../parts';
import { useWords } from '../words';

export function HelpSheet() {
  const { t, say } = useWords();
  return (
    <Dialog title={t('help.title')} width={760}>
      <div className="content" data-testid="help-sheet">
        <div className="sheet">
          {SHEET.map((g) => (
            <section key={g.group}>
              <h3>{say(`keys.${g.group === 'run' ? 'group.run' : g.group}`)}</h3>
              <dl>
                {g.keys.map((k) => (
                  <Line key={k.word} keys={k.keys} text={say(`keys.${k.word}`)} />
                ))}
              </dl>
            </section>
          ))}
          <section>
            <h3>{t('help.filter')}</h3>
            <dl>
              {EXAMPLES.map((e, i) => (
                <ExampleLine key={e} example={e} text={say(`help.filter.${i + 1}`)} />
              ))}
            </dl>
          </section>
          <section>
            <h3>{t('help.marks')}</h3>
            <dl>
              <dt><i className="key k-prefix" /></dt>
              <dd>{t('help.solid')}</dd>
              <dt><i className="key k-tail" /></dt>
              <dd>{t('help.hollow')}</dd>
              <dt><span className="chip claimed">a1b2c3</span></dt>
              <dd>{t('help.dashed')}</dd>
              <dt><i className="key k-new" /></dt>
              <dd>{t('help.accent')}</dd>
            </dl>
          </section>
          <section className="wide" data-testid="help-verdicts">
            <h3>{t('help.verdicts')}</h3>
            <dl>
              {VERDICTS.map((v) => (
                <Fragment key={v}>
                  <dt><Verdict verdict={v} planned={v !== 'rewritten' && v !== 'leaked'} /></dt>
                  <dd>{say(`verdict.${v}.why`)}</dd>
                </Fragment>
              ))}
            </dl>
          </section>
        </div>
      </div>
    </Dialog>
  );
}

function Line({ keys, text }: { keys: readonly string[]; text: string }) {
  return (
    <>
      <dt>{keys.map((k) => (k === '…' ? <span key={k}>…</span> : <kbd key={k}>{k}</kbd>))}</dt>
      <dd>{text}</dd>
    </>
  );
}

function ExampleLine({ example, text }: { example: string; text: string }) {
  return (
    <>
      <dt><code>{example}</code></dt>
      <dd>{text}</dd>
    </>
  );
}
