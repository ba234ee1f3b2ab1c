// Small pieces that stand in many places: verdict, body bar, hash chip, tabs in a row.
import { Fragment } from 'react';
import type { RequestRow, Words } from '../api/types.gen';
import { segments } from '../model/bars';
import { shortHash } from '../model/format';
import { verdictLook } from '../model/verdict';
import { visible } from '../model/visible';
import { copy } from '../state/actions';
import { Glyph } from './Glyph';
import { useWords } from './words';

export function Verdict({ verdict, planned, staged = false }: { verdict: string; planned: boolean | null; staged?: boolean }) {
  const { say } = useWords();
  const look = verdictLook(verdict, planned, staged);
  return (
    <span className={`verdict ${look.glyph} tone-${look.tone}`} title={say(`verdict.${look.word}.why`)}>
      <Glyph name={look.glyph} />
      <span className="cut">{say(`verdict.${look.word}`, verdict)}</span>
    </span>
  );
}

/** A sentence of the program in the window's language; what stays English says so, for fonts and readers. */
export function Told({ text, words, className }: { text: string; words?: Words | null; className?: string }) {
  const { told } = useWords();
  const said = told(text, words);
  return <span className={className} lang={said.lang}>{said.text}</span>;
}

/** A line from top to bottom. Chinese stands character by character, a number in one piece, and a word of Latin letters
 * lies on its side: fonts without metrics for vertical text would draw it beside its place. */
export function Tall({ text }: { text: string }) {
  const { lang } = useWords();
  if (lang !== 'zh') return <span>{text}</span>;
  return <span className="upright">{(text.match(/\d+|[\u0021-\u024f]+|\S/gu) ?? []).map((c, i) => <i key={i} className={/^\D[\u0021-\u024f]/.test(c) ? 'side' : undefined}>{c}</i>)}</span>;
}

export function BodyBar({ row, width }: { row: RequestRow; width?: number }) {
  const { t } = useWords();
  const list = segments(row);
  if (list.length === 0) return <span className="bodybar" />;
  const label = t('bar.label', { prefix: row.prefix, equal: row.equal, fresh: row.new, tail: row.tail });
  return (
    <span className="bodybar" role="img" aria-label={label} title={label} style={width === undefined ? undefined : { width: `${width}%` }}>
      {list.map((s) => (
        <i key={s.kind} className={`k-${s.kind}`} style={{ flexGrow: s.bytes }} />
      ))}
    </span>
  );
}

/** A JSON path, which breaks between its members and not within a word. */
export function Path({ path }: { path: string }) {
  return visible(path).split(/(?=[.[])/).map((x, i) => <Fragment key={i}>{i > 0 && <wbr />}{x}</Fragment>);
}

export type ChipLook = 'plain' | 'bare' | 'claimed' | 'fresh' | 'differs';

/** Six digits of a hash; a click copies all of them. */
export function HashChip({ hash, look = 'plain', bare = false }: { hash: string; look?: ChipLook; bare?: boolean }) {
  const { t } = useWords();
  if (hash === '') return null;
  return (
    <button
      type="button"
      className={`chip ${look}${bare ? ' bare' : ''}`}
      title={hash}
      aria-label={t('hash.label', { hash: shortHash(hash) })}
      onClick={(e) => {
        e.stopPropagation();
        void copy(hash, t('copied.hash'));
      }}
    >
      {shortHash(hash)}
    </button>
  );
}

/** A row of choices of which one holds. */
export function Segmented<V extends string>({ value, options, label, onChange }: {
  value: V;
  options: readonly { value: V; label: string }[];
  label: string;
  onChange: (v: V) => void;
}) {
  const move = (by: number) => {
    const at = options.findIndex((o) => o.value === value);
    onChange(options[(at + by + options.length) % options.length].value);
  };
  return (
    <div
      className="seg"
      role="tablist"
      aria-label={label}
      onKeyDown={(e) => {
        if (e.key === 'ArrowRight') move(1);
        else if (e.key === 'ArrowLeft') move(-1);
        else return;
        e.preventDefault();
      }}
    >
      {options.map((o) => (
        <button key={o.value} type="button" role="tab" aria-selected={o.value === value} tabIndex={o.value === value ? 0 : -1} onClick={() => onChange(o.value)}>
          {o.label}
        </button>
      ))}
    </div>
  );
}
