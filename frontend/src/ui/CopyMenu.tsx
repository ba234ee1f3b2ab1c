import { Copy, Download } from 'lucide-react';
import type { Key } from '../i18n';
import { OWN } from '../i18n/own';
import { copy, service, show, toast } from '../state/actions';
import { exchangeMarkdown } from '../model/markdown';
import { wholeHistory } from '../state/history';
import { readAll } from '../state/longtext';
import { get } from '../state/store';
import { message } from '../state/sync';
import { Glyph } from './Glyph';
import { Popover } from './Popover';
import { useWords } from './words';

type Make = () => Promise<string>;

async function wholeExchange(): Promise<string> {
  const { ref, view } = here();
  const messages = view.messages.length < view.history.total ? await wholeHistory(ref, view.history.total) : view.messages;
  return exchangeMarkdown({ ...view, messages }, await readAll((o) => service().response(ref, o)).catch(() => ''));
}


function here() {
  const { choice, view } = get();
  if (!view) throw new Error(OWN['own.request']);
  return { ref: { session: choice.session, n: view.row.n }, view };
}

const ENTRIES: readonly { label: Key; said: Key; make: Make }[] = [
  { label: 'copy.body', said: 'copied.body', make: () => readAll((o) => service().body(here().ref, o)) },
  { label: 'copy.curl', said: 'copied.curl', make: () => service().curl(here().ref) },
  { label: 'copy.markdown', said: 'copied.markdown', make: wholeExchange },
  { label: 'copy.hash', said: 'copied.hash', make: async () => (await service().body(here().ref, 0)).sha256 },
  { label: 'copy.path', said: 'copied.path', make: async () => here().view.verdict.path || '$' },
  {
    label: 'copy.part', said: 'copied.part',
    make: async () => {
      const { ref, view } = here();
      const v = view.verdict;
      if (v.partKind === '') throw new Error('');
      return readAll((o) => service().part(ref, v.partKind, v.partIndex, o));
    },
  },
];

export function CopyMenu() {
  const { t } = useWords();
  const run = async (make: Make, said: Key) => {
    try {
      await copy(await make(), t(said));
    } catch (e) {
      toast(message(e) || t('copy.nopart'), 'bad');
    }
  };
  return (
    <Popover
      className="btn small"
      label={t('copy')}
      align="end"
      testid="copy-menu"
      button={
        <>
          {t('copy')}
          <Glyph name="chevron" />
        </>
      }
    >
      {(close) => (
        <div className="menu">
          {ENTRIES.map((e) => (
            <button key={e.label} type="button" className="menu-item" onClick={() => { close(); void run(e.make, e.said); }}>
              <Copy className="icon" />
              {t(e.label)}
            </button>
          ))}
          <div className="menu-sep" />
          <button type="button" className="menu-item" data-testid="export-here" onClick={() => { close(); show({ kind: 'export', session: get().choice.session }); }}>
            <Download className="icon" />
            {t('export.open')}
          </button>
        </div>
      )}
    </Popover>
  );
}
