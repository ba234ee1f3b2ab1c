import { Search, X } from 'lucide-react';
import { useState } from 'react';
import type { RequestRow } from '../api/types.gen';
import { applyCompletion, complete, EXAMPLES, type FilterError } from '../model/filter';
import { setFilter } from '../state/actions';
import { useApp } from '../state/store';
import { useWords } from './words';

/** Completions offered at once. */
const OFFERED = 8;

/** What can be written, while nothing is: an example of each kind, to be taken and changed. */
function Examples() {
  const { t, say } = useWords();
  return (
    <div className="popover complete examples" data-testid="filter-help">
      <p className="menu-title">{t('help.filter')}</p>
      {EXAMPLES.map((e, i) => (
        <button key={e} type="button" className="menu-item" tabIndex={-1} onPointerDown={(x) => { x.preventDefault(); setFilter(e); }}>
          <code>{e}</code><small>{say(`help.filter.${i + 1}`)}</small>
        </button>
      ))}
    </div>
  );
}

export function FilterBox({ errors, rows }: { errors: FilterError[]; rows: RequestRow[] }) {
  const { t } = useWords();
  const text = useApp((s) => s.filter);
  const [focused, setFocused] = useState(false);
  const [at, setAt] = useState(-1);
  const offers = focused ? complete(text, rows).slice(0, OFFERED) : [];
  const take = (c: string) => {
    setFilter(applyCompletion(text, c));
    setAt(-1);
  };
  const onKey = (e: React.KeyboardEvent<HTMLInputElement>) => {
    if (e.key === 'Escape') {
      if (text !== '') setFilter('');
      else e.currentTarget.blur();
      e.stopPropagation();
    } else if (offers.length > 0 && (e.key === 'ArrowDown' || e.key === 'ArrowUp')) {
      e.preventDefault();
      setAt((at + (e.key === 'ArrowDown' ? 1 : -1) + offers.length) % offers.length);
    } else if (offers.length > 0 && (e.key === 'Tab' || e.key === 'Enter') && !e.shiftKey && (at >= 0 || e.key === 'Tab')) {
      e.preventDefault();
      take(offers[Math.max(0, at)]);
    }
  };
  return (
    <div className={errors.length > 0 && !focused ? 'filter wrong' : 'filter'}>
      <label>
        <Search className="icon" />
        <input
          type="text"
          value={text}
          spellCheck={false}
          autoComplete="off"
          placeholder={t('filter.placeholder')}
          aria-label={t('filter.label')}
          aria-expanded={offers.length > 0}
          aria-controls="filter-offers"
          role="combobox"
          title={t('filter.help')}
          data-testid="filter"
          onChange={(e) => {
            setFilter(e.target.value);
            setAt(-1);
          }}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onKeyDown={onKey}
        />
        {text === '' ? (
          <kbd>/</kbd>
        ) : (
          <button type="button" className="btn square small" aria-label={t('filter.clear')} title={t('filter.clear')} onClick={() => setFilter('')}>
            <X className="icon" />
          </button>
        )}
      </label>
      {errors.length > 0 && !focused && <p className="said" role="alert">{t(`filter.error.${errors[0].kind}`, { term: errors[0].term })}</p>}
      {focused && text === '' && <Examples />}
      {offers.length > 0 && (
        <ul className="popover complete" id="filter-offers" role="listbox">
          {offers.map((o, i) => (
            <li key={o} role="option" aria-selected={i === at}>
              <button type="button" className="menu-item mono" tabIndex={-1} aria-selected={i === at} onPointerDown={(e) => { e.preventDefault(); take(o); }}>
                {o}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
