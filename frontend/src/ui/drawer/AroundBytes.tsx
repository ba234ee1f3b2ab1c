import { useEffect, useState } from 'react';
import type { DiffView, RequestRef } from '../../api/types.gen';
import { around, type Around, type AroundLine } from '../../model/around';
import { visible } from '../../model/visible';
import { service } from '../../state/actions';
import { useWords } from '../words';

/** Bytes read before the first difference, and how much text is compared from there. */
const BEFORE = 160;
const WINDOW = 4096;

async function read(ref: RequestRef, from: number): Promise<string> {
  return (await service().body(ref, from)).text.slice(0, WINDOW);
}

/** The bytes of both bodies at the first difference, as they were sent. */
function useAround(diff: DiffView): Around | null {
  const [got, setGot] = useState<Around | null>(null);
  useEffect(() => {
    let current = true;
    const from = Math.max(0, diff.verdict.bodyOffset - BEFORE);
    Promise.all([read(diff.base, from), read(diff.next, from)]).then(
      ([a, b]) => {
        // only while the places agree: earlier differences would shift one against the other
        if (current) setGot(around(a, b, { start: from > 0, end: true }));
      },
      () => current && setGot(null),
    );
    return () => {
      current = false;
    };
  }, [diff]);
  return got;
}

function Line({ n, line, next }: { n: number; line: AroundLine; next?: boolean }) {
  return (
    <div className={next ? 'bytes next' : 'bytes'}>
      <span>#{n}</span>
      <span>
        {line.cutStart && '…'}
        {visible(line.before)}
        <mark>{visible(line.changed)}</mark>
        {visible(line.after)}
        {line.cutEnd && '…'}
      </span>
    </div>
  );
}

/** Text longer than this is shortened in the small view below the hunks; the view of all bytes shows it whole. */
const SMALL = 64;
const SMALL_CONTEXT = 16;

function small(line: AroundLine): AroundLine {
  const before = line.before.slice(-SMALL_CONTEXT);
  const cutStart = line.cutStart || before.length < line.before.length;
  if (line.changed.length <= SMALL) return { ...line, before, cutStart };
  return { ...line, before, cutStart, changed: line.changed.slice(0, SMALL), after: '', cutEnd: true };
}

export function AroundBytes({ diff, whole }: { diff: DiffView; whole?: boolean }) {
  const { t, f } = useWords();
  const got = useAround(diff);
  if (diff.verdict.partKind === '') return <p className="empty">{t('around.same')}</p>;
  if (!got) return <p className="empty">{t('diff.loading')}</p>;
  const base = whole ? got.base : small(got.base);
  return (
    <div className={whole ? 'around' : 'around small'} data-testid="around">
      <h4>{t('around.title', { n: diff.verdict.bodyOffset })}</h4>
      <Line n={diff.base.n} line={base} />
      <Line n={diff.next.n} line={whole ? got.next : small(got.next)} next />
      {!whole && (
        <div className="bytes">
          <span />
          <span className="arrow">{' '.repeat(base.before.length + (base.cutStart ? 1 : 0))}↑ {f.count(diff.verdict.partOffset)}</span>
        </div>
      )}
    </div>
  );
}
