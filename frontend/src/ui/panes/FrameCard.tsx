import { AppWindow, Bell, FileText, Mail, Settings, Text, StickyNote, type LucideIcon } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { FrameList, FrameView } from '../../api/types.gen';
import type { Key } from '../../i18n';
import { actionItem, handleItem, noticeItem, visibleItem } from '../../model/frame';
import { visible } from '../../model/visible';
import { copy } from '../../state/actions';
import { Glyph } from '../Glyph';
import { useWords } from '../words';

/** Items of a section shown at first; "Show N more" opens the rest. */
const SHOWN: Record<string, number> = { visibleContent: 4, actions: 3, recoveryActions: 3, handles: 3, notifications: 3 };

const ICONS: Record<string, LucideIcon> = {
  app: AppWindow, note: StickyNote, file: FileText, document: FileText, mail: Mail, message: Mail, setting: Settings,
};

const NAMES: Record<string, Key> = {
  visibleContent: 'frame.visible', actions: 'frame.actions', handles: 'frame.handles', recoveryActions: 'frame.recovery', notifications: 'frame.notices',
};

function Visible({ line, open }: { line: string; open: boolean }) {
  const it = visibleItem(visible(line));
  const Icon = ICONS[it.kind.toLowerCase()] ?? Text;
  return (
    <div className={open ? 'item open' : 'item'} title={visible(line)}>
      <Icon className="icon" aria-hidden="true" />
      <span className="title">{visible(it.title || it.id || line)}</span>
      <span className="rest">{it.content}</span>
    </div>
  );
}

function Action({ line, open }: { line: string; open: boolean }) {
  const { t } = useWords();
  const it = actionItem(line);
  return (
    <div className={open ? 'item open' : 'item'} title={visible(line)}>
      <button type="button" className="command" title={`${visible(it.command)}\n${t('copy.command')}`} onClick={() => void copy(it.command, t('copied.command'))}>{visible(it.command)}</button>
      <span className="rest end">{visible(it.label)}</span>
      {it.risk !== '' && <span className="tag warn" title={t('risk.why')}>{visible(it.risk)}</span>}
      {it.confirm && <span className="tag">{t('risk.confirm')}</span>}
    </div>
  );
}

function Handle({ line, open }: { line: string; open: boolean }) {
  const { t } = useWords();
  const it = handleItem(line);
  return (
    <div className={open ? 'item open' : 'item'} title={visible(line)}>
      <button type="button" className="chip" title={visible(it.id)} onClick={() => void copy(it.id, t('copied.command'))}>{visible(it.id)}</button>
      <span className="rest">{visible(it.label)}</span>
    </div>
  );
}

function Notice({ line, open }: { line: string; open: boolean }) {
  const it = noticeItem(visible(line));
  return (
    <div className={open ? 'item open' : 'item'} title={visible(line)}>
      <Bell className="icon" aria-hidden="true" />
      {it.app !== '' && <span className="t2">{it.app}</span>}
      <span className="rest">{it.text}</span>
    </div>
  );
}

const KINDS: Record<string, (p: { line: string; open: boolean }) => React.ReactNode> = {
  visibleContent: Visible, actions: Action, recoveryActions: Action, handles: Handle, notifications: Notice,
};

function Section({ list }: { list: FrameList }) {
  const { t, say } = useWords();
  const [all, setAll] = useState(false);
  const shown = SHOWN[list.name] ?? 3;
  // one more line costs as much room as the words that would hide it
  const items = all || list.items.length <= shown + 1 ? list.items : list.items.slice(0, shown);
  const hidden = list.items.length - items.length;
  const Item = KINDS[list.name] ?? Visible;
  return (
    <>
      <div className="section-head">
        <b>{NAMES[list.name] ? t(NAMES[list.name]) : say(list.name, list.name)}</b>
        {list.total}
      </div>
      {items.map((line, i) => <Item key={i} line={line} open={all} />)}
      {(hidden > 0 || all) && (
        <div className="show-more">
          <button type="button" className="link" onClick={() => setAll(!all)}>{all ? t('show.fewer') : t('show.more', { n: hidden })}</button>
        </div>
      )}
      {list.leftOut > 0 && <p className="left-out">{t('frame.leftout', { n: list.leftOut })}</p>}
    </>
  );
}

/** The frame as a person reads it: one hollow box, because all of it goes with this request only. */
export function FrameCard({ frame, notices, claimed }: { frame: FrameView | null; notices: string; claimed: boolean }) {
  const { t } = useWords();
  if (!frame) {
    return (
      <div className={claimed ? 'frame claimed' : 'frame'}>
        <header><p className="t2">{t('frame.none')}</p></header>
        {notices.trim() !== '' && <Notices text={notices} />}
      </div>
    );
  }
  return (
    <div className={claimed ? 'frame claimed' : 'frame'} data-testid="frame">
      <header>
        <div className="name">
          <h3 title={visible(frame.title)}>{visible(frame.title) || t('frame.untitled')}</h3>
          <span className="t3 nowrap">{visible(frame.status)}</span>
          <span className="grow" />
          <button type="button" className="chip" title={visible(`frameCursor ${frame.cursor}`)} onClick={() => void copy(frame.cursor, t('copied.command'))}>{visible(frame.cursor.length > 16 ? `${frame.cursor.slice(0, 16)}…` : frame.cursor)}</button>
        </div>
        {frame.breadcrumb.length > 0 && (
          <div className="crumbs">
            {frame.breadcrumb.map((c, i) => (
              <Fragment key={i}>
                {i > 0 && <Glyph name="crumb" />}
                <span>{visible(c)}</span>
              </Fragment>
            ))}
          </div>
        )}
        {frame.summary !== '' && <p className="summary">{visible(frame.summary)}</p>}
        {(frame.updatedAt !== '' || frame.budget !== '') && (
          <p className="meta">
            {frame.updatedAt !== '' && <span title="updatedAt">{visible(frame.updatedAt)}</span>}
            {frame.budget !== '' && <span title="tokenBudget">{visible(frame.budget)}</span>}
          </p>
        )}
      </header>
      {frame.lists.filter((l) => l.total > 0).map((l) => <Section key={l.name} list={l} />)}
      {notices.trim() !== '' && <Notices text={notices} />}
    </div>
  );
}

function Notices({ text }: { text: string }) {
  const { t } = useWords();
  const lines = text.trim().split('\n').filter((l) => l.trim() !== '');
  return (
    <>
      <div className="section-head">
        <b>{t('frame.runtime')}</b>
        {lines.length}
      </div>
      {lines.map((l, i) => (
        <div key={i} className="item open"><span className="rest">{visible(l)}</span></div>
      ))}
    </>
  );
}
