import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { TextPage } from '../../api/types.gen';
import { LongRows } from '../../model/longrows';
import { visible } from '../../model/visible';
import { nextOffset } from '../../state/longtext';
import { copy } from '../../state/actions';
import { readAll } from '../../state/longtext';
import { HashChip, Segmented, Told } from '../parts';
import { useWords } from '../words';

const ROW = 16;
const OVERSCAN = 20;
/** Width in px of the gutter and of the padding beside the text. */
const GUTTER = 96;

type Mode = 'sent' | 'pretty';

interface Pages {
  text: string;
  page: TextPage | null;
  error: string;
  busy: boolean;
}

const EMPTY = { shown: '', rows: [] };

const NO_PAGES: Pages = { text: '', page: null, error: '', busy: true };

/** Reads a long text page by page; `key` says which text it is. */
function usePages(read: (offset: number) => Promise<TextPage>, key: string) {
  const [pages, setPages] = useState<Pages>(NO_PAGES);
  const reader = useRef(read);
  useEffect(() => {
    reader.current = read;
  });
  const load = useRef<(offset: number, before: string) => void>(() => undefined);
  useEffect(() => {
    let current = true;
    load.current = (offset, before) => {
      setPages((p) => ({ ...p, busy: true }));
      reader.current(offset).then(
        (page) => current && setPages({ text: before + page.text, page, error: '', busy: false }),
        (e: unknown) => current && setPages({ text: before, page: null, error: e instanceof Error ? e.message : String(e), busy: false }),
      );
    };
    setPages(NO_PAGES);
    load.current(0, '');
    return () => {
      current = false;
    };
  }, [key]);
  return { pages, more: () => pages.page && load.current(nextOffset(pages.page), pages.text) };
}

/** Width of one cell of the mono face in px, measured once it is drawn. */
function useColumns(box: React.RefObject<HTMLDivElement | null>): number {
  const [columns, setColumns] = useState(100);
  useLayoutEffect(() => {
    const el = box.current;
    if (!el) return;
    const probe = document.createElement('canvas').getContext('2d');
    const measure = () => {
      const style = getComputedStyle(el);
      if (probe) probe.font = `${style.fontSize} ${style.fontFamily}`;
      const cell = probe?.measureText('0000000000').width ?? 70;
      setColumns(Math.max(20, Math.floor(((el.clientWidth - GUTTER) / Math.max(1, cell)) * 10)));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(el);
    return () => watch.disconnect();
  }, [box]);
  return columns;
}

/** A long text as it is, in rows; or by tokens, where it is JSON. Pages are read as they are wanted. */
export function LongText({ read, textKey, json, name, highlight }: {
  read: (offset: number) => Promise<TextPage>;
  textKey: string;
  json: boolean;
  name: string;
  /** a place in the text from which rows are marked, in characters */
  highlight?: string;
}) {
  const { t, f } = useWords();
  const box = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<Mode>('sent');
  const [view, setView] = useState({ top: 0, height: 400 });
  const { pages, more } = usePages(read, textKey);
  const columns = useColumns(box);
  // another text of the same length must not be taken for this one
  const long = useMemo(() => ({ key: textKey, rows: new LongRows(columns, mode === 'pretty') }), [columns, mode, textKey]);
  const { shown, rows } = useMemo(() => (pages.text === '' ? EMPTY : long.rows.read(pages.text)), [long, pages.text]);
  const tailAt = useMemo(() => (highlight ? shown.lastIndexOf(highlight) : -1), [shown, highlight]);
  const page = pages.page;
  const rest = page ? page.total - nextOffset(page) : 0;
  const first = Math.max(0, Math.floor(view.top / ROW) - OVERSCAN);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW) + OVERSCAN);
  return (
    <div className="long">
      <div className="bar">
        <span className="t1">{name}</span>
        {page && <span className="t2">{f.bytes(page.total)}</span>}
        {page && page.sha256 !== '' && <span className="t3 nowrap">SHA-256 <HashChip hash={page.sha256} /></span>}
        {page?.binary && <span className="tag warn">{t('long.binary')}</span>}
        {mode === 'pretty' && <span className="t3 cut">{t('long.pretty.why')}</span>}
        <span className="grow" />
        <button type="button" className="btn small" onClick={() => void readAll(read).then((s) => copy(s, t('copied.text')))}>{t('copy')}</button>
        {json && <Segmented<Mode> value={mode} label={t('long.mode')} onChange={setMode} options={[{ value: 'sent', label: t('diff.sent') }, { value: 'pretty', label: t('long.pretty') }]} />}
      </div>
      <div ref={box} className="scroller" tabIndex={0} role="region" aria-label={name} data-testid="long-text" data-focus onScroll={(e) => {
        const { scrollTop: top, clientHeight } = e.currentTarget;
        flushSync(() => setView({ top, height: clientHeight })); // before this frame is painted, not some time after
      }}>
        {pages.error !== '' && <p className="empty" role="alert"><Told text={pages.error} /></p>}
        {pages.text === '' && pages.error === '' && <p className="empty">{t(pages.busy ? 'long.loading' : 'long.empty')}</p>}
        <div className="space" style={{ height: rows.length * ROW + (rest > 0 ? 40 : 8) }}>
          {pages.text !== '' && rows.slice(first, last).map((r, i) => (
            <div key={first + i} className={tailAt >= 0 && r.start + r.text.length > tailAt ? 'text-row tail' : 'text-row'} style={{ transform: `translateY(${(first + i) * ROW}px)` }}>
              <span>{mode === 'pretty' ? r.line || '' : f.count(r.start)}</span>
              <span>{visible(r.text.replace(/\n$/, ''))}</span>
            </div>
          ))}
          {rest > 0 && (
            <button type="button" className="btn small line next-page" style={{ top: rows.length * ROW + 8 }} disabled={pages.busy} onClick={more}>
              {t('long.more', { rest: f.size(rest) })}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}
