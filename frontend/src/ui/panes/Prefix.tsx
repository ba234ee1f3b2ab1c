import { PanelLeftClose } from 'lucide-react';
import type { PartView, RequestView } from '../../api/types.gen';
import { visible } from '../../model/visible';
import { openPart, setPrefs, show } from '../../state/actions';
import { Glyph } from '../Glyph';
import { HashChip, Tall, type ChipLook } from '../parts';
import { useWords, type Words } from '../words';

function look(p: PartView): ChipLook {
  if (p.claimed) return 'claimed';
  if (p.changed === 'new') return 'fresh';
  return p.changed === 'changed' ? 'differs' : 'plain';
}

function partClass(p: PartView, more = ''): string {
  const state = p.claimed ? ' claimed' : p.changed === 'changed' ? ' changed' : p.changed === 'new' ? ' fresh' : '';
  return `part${state}${more}`;
}

function unchanged(view: RequestView, w: Words): { text: string; moved: boolean } {
  const moved = [view.model, view.system, ...view.tools].some((p) => p.changed === 'changed' || p.changed === 'new') && view.row.base > 0;
  if (moved) return { text: w.t('prefix.moved'), moved };
  return { text: w.t('prefix.unchanged', { n: Math.max(1, view.unchanged) }), moved };
}

function Rail({ view, fixed }: { view: RequestView; fixed: boolean }) {
  const w = useWords();
  const state = unchanged(view, w);
  return (
    <button type="button" className="rail" disabled={fixed} aria-label={`${w.t('prefix')}: ${state.text}`} title={`${w.t('prefix')}: ${state.text}`} onClick={() => setPrefs({ prefixFolded: false })}>
      <span><i className="key k-prefix" /></span>
      <span className="tall">
        <Tall text={w.t('prefix')} />
        <Tall text={state.text} />
      </span>
      <span className={state.moved ? 'warn' : 'ok'}><Glyph name={state.moved ? 'changed' : 'equal'} /></span>
    </button>
  );
}

/** Where the system text stands: in the messages, or apart from them. */
function systemPlace(p: PartView): string {
  return p.kind === 'message' ? `messages[${p.index}]` : 'system';
}

/** Characters at the end of a long name that stay: names of one server differ there. */
const TAIL = 8;

/** A name that is cut in its middle where there is no room. */
function Name({ text }: { text: string }) {
  if (text.length <= 2 * TAIL) return text;
  return <span className="middle"><span className="cut">{text.slice(0, -TAIL)}</span><span>{text.slice(-TAIL)}</span></span>;
}

function ToolRow({ part }: { part: PartView }) {
  const { t, f } = useWords();
  return (
    <div className={partClass(part)} role="treeitem" aria-level={2}>
      <button type="button" className="name mono" title={visible(`${part.name}${part.server ? ` · ${part.server}` : ''}`)} onClick={() => openPart(part.name, part)}><Name text={visible(part.name)} /></button>
      <span className="size" title={t('bytes.exact', { n: part.bytes })}>{f.count(part.bytes)}</span>
      <HashChip hash={part.leaf} look={look(part)} bare={!part.claimed} />
    </div>
  );
}

export function Prefix({ view, folded, fixed }: { view: RequestView; folded: boolean; fixed: boolean }) {
  const w = useWords();
  const { t, f } = w;
  if (folded) return <section className="pane prefix folded" data-testid="pane-prefix" data-region="panes" aria-label={t('prefix')}><Rail view={view} fixed={fixed} /></section>;
  const toolBytes = view.tools.reduce((sum, p) => sum + p.bytes, 0);
  const state = unchanged(view, w);
  const last = view.tools[view.tools.length - 1];
  return (
    <section className="pane prefix" data-testid="pane-prefix" data-region="panes" aria-label={t('prefix')}>
      <div className="head">
        <i className="key k-prefix" />
        <h2>{t('prefix')}</h2>
        <span className="grow" />
        <button type="button" className="btn square small fold" title={t('fold')} aria-label={t('fold.prefix')} onClick={() => setPrefs({ prefixFolded: true })}><PanelLeftClose className="icon" /></button>
        <span className="t3 s11">{f.bytes(view.row.prefix)}</span>
      </div>
      <div className="body" tabIndex={0} data-focus>
        <p className={state.moved ? 'unchanged moved' : 'unchanged'}>
          <Glyph name={state.moved ? 'changed' : 'equal'} />
          {state.text}
        </p>
        <div role="tree" aria-label={t('prefix')}>
          <div className={partClass(view.model, ' title')} role="treeitem" aria-level={1}>
            <span>{t('model')}</span>
            <span className="t2 cut">{visible(view.model.name || view.model.text)}</span>
            <HashChip hash={view.model.leaf} look={look(view.model)} bare={!view.model.claimed} />
          </div>
          <div className={last?.claimed ? 'part title claimed' : 'part title'} role="treeitem" aria-level={1} aria-expanded>
            <span>{t('tools')} <b className="t3">{view.tools.length}</b></span>
            <span className="size">{f.bytes(toolBytes)}</span>
            {last ? <HashChip hash={last.link} look={look(last)} bare={!last.claimed} /> : <span />}
          </div>
          {view.tools.map((p) => <ToolRow key={p.index} part={p} />)}
          {view.system.bytes > 0 && (
            <>
              <div className={partClass(view.system, ' title')} role="treeitem" aria-level={1}>
                <span>{t('system')} <b className="t3">{systemPlace(view.system)}</b></span>
                <span className="size">{f.count(view.system.bytes)}</span>
                <HashChip hash={view.system.leaf} look={look(view.system)} bare={!view.system.claimed} />
              </div>
              <div className={view.system.claimed ? 'text-part claimed' : 'text-part'} role="treeitem" aria-level={2}>
                <p>{visible(view.system.text)}</p>
                <button type="button" className="link" onClick={() => openPart(`${t('system')} · ${systemPlace(view.system)}`, view.system)}>{t('open.all', { bytes: f.bytes(view.system.bytes) })}</button>
              </div>
            </>
          )}
        </div>
      </div>
      <div className="foot">
        <button type="button" className="link t2" title={visible(view.rest.text)} onClick={() => show({ kind: 'text', opened: { title: t('parameters'), source: { kind: 'text', text: view.rest.text } } })}>{t('parameters')}</button>
        <span className="t3 s11 cut grow">{t('parameters.beside')}</span>
        <HashChip hash={view.rest.leaf} look={look(view.rest)} bare={!view.rest.claimed} />
      </div>
    </section>
  );
}
