import { CircleDot } from 'lucide-react';
import type { Breakpoints } from '../api/types.gen';
import type { Key } from '../i18n';
import { breakpointCount } from '../model/run';
import { setBreakpoints } from '../state/actions';
import { useApp } from '../state/store';
import { Popover } from './Popover';
import { selectMode } from './RunControls';
import { useWords } from './words';

type Flag = Exclude<keyof Breakpoints, 'tool'>;

const CHOICES: readonly { flag: Flag; title: Key; why: Key }[] = [
  { flag: 'beforeRequest', title: 'break.request', why: 'break.request.why' },
  { flag: 'beforeTool', title: 'break.tool', why: 'break.tool.why' },
  { flag: 'afterFrame', title: 'break.frame', why: 'break.frame.why' },
  { flag: 'onUnplanned', title: 'break.unplanned', why: 'break.unplanned.why' },
  { flag: 'onRedline', title: 'break.redline', why: 'break.redline.why' },
];

export function BreakpointMenu() {
  const { t } = useWords();
  const state = useApp((s) => s.snapshot?.state);
  const mode = useApp(selectMode);
  const tools = useApp((s) => s.tools);
  if (mode === 'read-only') return null;
  const b = state?.breakpoints;
  const n = breakpointCount(state);
  return (
    <>
      <span className="rule" />
      <Popover
        className="btn"
        label={t('break.title')}
        align="end"
        width={336}
        disabled={!b || mode === 'none'}
        testid="breakpoints"
        button={
          <>
            <CircleDot className="icon" />
            <span className="label">{t('break.title')}</span>
            {n > 0 && <span className="badge">{n}</span>}
          </>
        }
      >
        {() =>
          b && (
            <>
              <h2>{t('break.head')}</h2>
              {CHOICES.map((c) => (
                <label key={c.flag} className="choice">
                  <input type="checkbox" checked={b[c.flag]} data-testid={`break-${c.flag}`} onChange={(e) => void setBreakpoints({ ...b, [c.flag]: e.target.checked })} />
                  <span>{t(c.title)}</span>
                  {c.flag === 'beforeTool' ? (
                    <select value={b.tool} aria-label={t('break.anytool')} onChange={(e) => void setBreakpoints({ ...b, tool: e.target.value })}>
                      <option value="">{t('break.anytool')}</option>
                      {tools.map((x) => (
                        <option key={`${x.server}/${x.name}`} value={x.name}>{x.name}</option>
                      ))}
                    </select>
                  ) : (
                    <span />
                  )}
                  <small>{t(c.why)}</small>
                </label>
              ))}
              <p className="note">{t('break.noedit')}</p>
            </>
          )
        }
      </Popover>
    </>
  );
}
