import { modeOf } from '../../model/run';
import { callTool, show } from '../../state/actions';
import { useApp } from '../../state/store';
import { fields } from '../../model/schema';
import { visible } from '../../model/visible';
import { selectSession } from '../RunControls';
import { useWords } from '../words';

/** Calls of ZimoOS by the user's own hand. A call with arguments opens a form. */
export function ByHand() {
  const { t } = useWords();
  const all = useApp((s) => s.tools);
  const mode = useApp((s) => modeOf(s.snapshot?.state, selectSession(s)));
  const busy = useApp((s) => s.busy !== '');
  const tools = all.filter((x) => x.zimoos);
  if (mode === 'read-only') return <div className="foot"><span className="t3 cut">{t('composer.readonly')}</span></div>;
  const free = mode === 'idle' || mode === 'paused';
  return (
    <div className="foot">
      <span className="t2">{t('hand')}</span>
      {tools.length === 0 && <span className="t3 cut">{t('hand.none')}</span>}
      {tools.map((tool) => {
        const form = fields(tool.schema).length > 0;
        const name = tool.name.replace(/^zimoos\./, '');
        return (
          <button
            key={`${tool.server}/${tool.name}`}
            type="button"
            className="btn small line tool-button"
            title={free ? visible(`${tool.name}\n${tool.description}`) : t('hand.busy')}
            disabled={!free || busy}
            onClick={() => (form ? show({ kind: 'hand', tool }) : void callTool(tool, '{}'))}
          >
            {visible(form ? `${name}…` : name)}
          </button>
        );
      })}
    </div>
  );
}
