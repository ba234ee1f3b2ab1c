import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { ServerState, TrafficRow } from '../../api/types.gen';
import { prettyTokens } from '../../model/pretty';
import { visible } from '../../model/visible';
import { copy, service } from '../../state/actions';
import { useApp } from '../../state/store';
import { Glyph, type GlyphName } from '../Glyph';
import { useWords } from '../words';

const ROW = 24;
const GLYPHS: Record<string, GlyphName> = { in: 'in', out: 'out', stderr: 'lines', noise: 'changed' };

function Servers({ servers }: { servers: ServerState[] }) {
  const { t, tell, say } = useWords();
  return (
    <div className="bar">
      {servers.map((s) => {
        const bad = s.status === 'failed' || s.status === 'exited';
        return (
          <span key={s.name} className="with nowrap" title={[tell(s.error), visible(s.stderr)].filter(Boolean).join('\n')}>
            <i className={bad ? 'dot bad' : s.status === 'ready' ? 'dot' : 'dot hollow'} /> <b>{visible(s.name)}</b>{' '}
            <span className={bad ? 'bad' : 't3'}>{say(`server.${s.status}`, s.status)}{s.pid > 0 ? ` · pid ${s.pid}` : ''}{s.exitCode !== null ? ` · ${t('server.exit', { code: String(s.exitCode) })}` : ''}</span>
          </span>
        );
      })}
      {servers.length === 0 && <span className="t3">{t('mcp.none')}</span>}
    </div>
  );
}

function Row({ row, selected, top, onSelect }: { row: TrafficRow; selected: boolean; top: number; onSelect: () => void }) {
  const { f, say } = useWords();
  return (
    <button type="button" role="option" aria-selected={selected} className={`traffic ${row.direction}`} style={{ transform: `translateY(${top}px)` }} onClick={onSelect} tabIndex={-1}>
      <span className="t3 s11">{f.clock(row.at)}</span>
      <Glyph name={GLYPHS[row.direction] ?? 'unknown'} />
      <span className="t2 cut">{visible(row.server)}</span>
      <span className="what">
        <span className="reader-only">{say(`direction.${row.direction}`, row.direction)} </span>
        <span className="mono t1">{visible(row.method) || (row.direction === 'stderr' ? 'stderr' : row.id ? `#${row.id}` : '')}</span>{' '}
        <span className="mono t3">{visible(row.text)}</span>
        {row.note !== '' && <span className="tag warn">{say(`note.${row.note}`, row.note)}</span>}
      </span>
      <span className="t3 s11 right">{f.bytes(row.bytes)}</span>
    </button>
  );
}

function Detail({ row }: { row: TrafficRow }) {
  const { t } = useWords();
  const [text, setText] = useState('');
  useEffect(() => {
    let current = true;
    service().trafficText(row.seq).then((s) => current && setText(s), (e: unknown) => current && setText(String(e)));
    return () => {
      current = false;
    };
  }, [row.seq]);
  const json = row.direction === 'in' || row.direction === 'out';
  return (
    <div className="code" tabIndex={0} data-focus>
      <p><button type="button" className="link" onClick={() => void copy(text, t('copied.text'))}>{t('copy')}</button></p>
      {visible(json ? prettyTokens(text) : text)}
    </div>
  );
}

export function McpTab() {
  const { t } = useWords();
  const all = useApp((s) => s.traffic);
  const servers = useApp((s) => s.snapshot?.state.servers) ?? [];
  const [server, setServer] = useState('');
  const [seq, setSeq] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const list = server === '' ? all : all.filter((r) => r.server === server);
  const virtual = useVirtualizer({ count: list.length, getScrollElement: () => box.current, estimateSize: () => ROW, overscan: 20 });
  const row = list.find((r) => r.seq === seq);
  const move = (by: number) => {
    const at = list.findIndex((r) => r.seq === seq);
    const next = Math.max(0, Math.min(list.length - 1, at < 0 ? 0 : at + by));
    if (list[next]) setSeq(list[next].seq);
    virtual.scrollToIndex(next);
  };
  return (
    <div className="diff">
      <Servers servers={servers} />
      <div className="split">
        <div className="diff">
          <div className="bar">
            <select value={server} aria-label={t('mcp.filter')} onChange={(e) => setServer(e.target.value)}>
              <option value="">{t('mcp.all')}</option>
              {servers.map((s) => <option key={s.name} value={s.name}>{visible(s.name)}</option>)}
            </select>
            <span className="t3">{t('mcp.count', { n: list.length })}</span>
          </div>
          <div
            ref={box}
            className="traffic-list"
            role="listbox"
            tabIndex={0}
            aria-label={t('tab.mcp')}
            data-testid="traffic"
            data-focus
            onKeyDown={(e) => {
              if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp') return;
              e.preventDefault();
              move(e.key === 'ArrowDown' ? 1 : -1);
            }}
          >
            {list.length === 0 && <p className="empty">{t('mcp.empty')}</p>}
            <div className="space" role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
              {virtual.getVirtualItems().map((i) => <Row key={i.key} row={list[i.index]} selected={list[i.index].seq === seq} top={i.start} onSelect={() => setSeq(list[i.index].seq)} />)}
            </div>
          </div>
        </div>
        {row ? <Detail row={row} /> : <p className="empty">{t('mcp.pick')}</p>}
      </div>
    </div>
  );
}
