import { Search } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { SearchHit } from '../../api/types.gen';
import { parseFilter } from '../../model/filter';
import { bySession, type SearchState } from '../../model/search';
import { visible } from '../../model/visible';
import { goTo, show } from '../../state/actions';
import { search, stopSearch } from '../../state/search';
import { useApp } from '../../state/store';
import { Dialog } from '../Dialog';
import { Told, Verdict } from '../parts';
import { useWords } from '../words';

/** Milliseconds after the last letter before a search begins by itself; Enter begins it at once. */
const PAUSE_MS = 300;

/** A search over all sessions, in the language of the timeline's filter. */
export function SearchDialog() {
  const { t } = useWords();
  const state = useApp((s) => s.search);
  const [text, setText] = useState(state.text);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const errors = useMemo(() => parseFilter(text).errors, [text]);
  const current = Math.max(0, Math.min(at, state.hits.length - 1));
  useEffect(() => {
    if (text === state.text) return;
    const timer = setTimeout(() => void search(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, state.text]);
  useEffect(() => stopSearch, []);
  const open = (h: SearchHit) => {
    show(null);
    void goTo({ session: h.session, n: h.request });
  };
  const move = (by: number) => {
    const next = Math.max(0, Math.min(state.hits.length - 1, current + by));
    setAt(next);
    list.current?.querySelector(`#hit-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <Dialog width={760} top className="search" title={t('search.title')}>
      <div className="search-field">
        <Search className="icon" />
        <input
          data-autofocus
          value={text}
          spellCheck={false}
          placeholder={t('search.placeholder')}
          aria-label={t('search.title')}
          role="combobox"
          aria-expanded
          aria-controls="search-hits"
          aria-activedescendant={state.hits.length > 0 ? `hit-${current}` : undefined}
          data-testid="search"
          onChange={(e) => { setText(e.target.value); setAt(0); }}
          onKeyDown={(e) => {
            if (e.key === 'ArrowDown' || e.key === 'ArrowUp') move(e.key === 'ArrowDown' ? 1 : -1);
            else if (e.key !== 'Enter' || e.nativeEvent.isComposing) return;
            else if (text !== state.text) void search(text);
            else if (state.hits[current]) open(state.hits[current]);
            e.preventDefault();
          }}
        />
        {state.phase === 'running' && <button type="button" className="btn small line" data-testid="search-stop" onClick={stopSearch}>{t('search.stop')}</button>}
      </div>
      <div className="content hits" id="search-hits" role={state.hits.length > 0 ? 'listbox' : undefined} aria-label={state.hits.length > 0 ? t('search.title') : undefined} ref={list}>
        {errors.length > 0 && <p className="warn pad" role="status">{t(`filter.error.${errors[0].kind}`, { term: errors[0].term })}</p>}
        <Hits state={state} current={current} open={open} />
        <Said state={state} />
      </div>
    </Dialog>
  );
}

function Hits({ state, current, open }: { state: SearchState; current: number; open: (h: SearchHit) => void }) {
  const { t } = useWords();
  let index = -1;
  return bySession(state.hits).map((g) => (
    <section key={g.session} role="group" aria-label={g.name}>
      <h3><span className="cut">{visible(g.name) || g.session}</span><span className="t3">{t('search.hits', { n: g.hits.length })}</span></h3>
      {g.hits.map((h) => {
        const at = ++index;
        return <Hit key={h.request} hit={h} id={`hit-${at}`} selected={at === current} open={open} />;
      })}
    </section>
  ));
}

function Hit({ hit, id, selected, open }: { hit: SearchHit; id: string; selected: boolean; open: (h: SearchHit) => void }) {
  const { say } = useWords();
  const { from, to } = hit.match;
  return (
    <button type="button" id={id} className="hit" role="option" aria-selected={selected} tabIndex={-1} onClick={() => open(hit)}>
      <span className="number">#{hit.request}</span>
      <Verdict verdict={hit.verdict} planned={hit.planned} />
      <span className="t3 cut">{hit.tools.length > 0 ? visible(hit.tools.join(', ')) : say(`search.where.${hit.where}`)}</span>
      <span className="words">
        {hit.snippet === '' ? '' : (
          <>
            <span className="t3">{say(`search.where.${hit.where}`)}: </span>
            {visible(hit.snippet.slice(0, from))}
            {to > from && <mark>{visible(hit.snippet.slice(from, to))}</mark>}
            {visible(hit.snippet.slice(to))}
          </>
        )}
      </span>
    </button>
  );
}

function Said({ state }: { state: SearchState }) {
  const { t, tell } = useWords();
  if (state.phase === 'idle') return <p className="t3 pad">{t('search.help')}</p>;
  const so = { n: state.hits.length, searched: state.searched, sessions: state.sessions };
  return (
    <div className="pad t3" role="status" data-testid="search-said">
      {state.phase === 'failed' ? <p className="bad"><Told text={state.error} /></p> : <p>{t(`search.${state.phase}`, so)}</p>}
      {state.skipped.map((s) => <p key={s.session} className="warn">{t('search.skipped', { name: s.name || s.session, why: tell(s.why) })}</p>)}
    </div>
  );
}
