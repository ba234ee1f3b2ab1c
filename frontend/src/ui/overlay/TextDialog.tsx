import type { TextPage } from '../../api/types.gen';
import { utf8Length } from '../../model/format';
import { visible } from '../../model/visible';
import { service } from '../../state/actions';
import type { Opened } from '../../state/store';
import { Dialog } from '../Dialog';
import { LongText } from '../drawer/LongText';

function reader(opened: Opened): (offset: number) => Promise<TextPage> {
  const s = opened.source;
  if (s.kind === 'part') return (offset) => service().part({ session: s.session, n: s.n }, s.part, s.index, offset);
  const page = { text: s.text, offset: 0, total: utf8Length(s.text), sha256: '', binary: false };
  return () => Promise.resolve(page);
}

/** A text opened whole: nothing is cut for good. */
export function TextDialog({ opened }: { opened: Opened }) {
  const s = opened.source;
  const key = s.kind === 'part' ? `${s.session}/${s.n}/${s.part}/${s.index}` : opened.title;
  return (
    <Dialog title={visible(opened.title)} width="min(960px, 100%)" height="min(720px, 100%)">
      <LongText read={reader(opened)} textKey={key} json={s.kind === 'part' && s.part === 'tool'} name={visible(opened.title)} />
    </Dialog>
  );
}
