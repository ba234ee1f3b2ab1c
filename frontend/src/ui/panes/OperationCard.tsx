import { useState } from 'react';
import type { MessageView, RecordView } from '../../api/types.gen';
import { cardState, startsOpen, type CardState } from '../../model/history';
import { commandOf, outcomeOk } from '../../model/record';
import { visible } from '../../model/visible';
import { Glyph, type GlyphName } from '../Glyph';
import { HashChip, type ChipLook } from '../parts';
import { useWords } from '../words';

function Outcome({ text }: { text: string }) {
  if (outcomeOk(text)) return <span className="outcome">{text}</span>;
  return (
    <span className="outcome warn">
      <Glyph name="changed" />
      <span className="cut">{text}</span>
    </span>
  );
}

const TITLE: Record<CardState, { glyph: GlyphName; tone: string }> = {
  pending: { glyph: 'pending', tone: 'staged' },
  'just-sealed': { glyph: 'sealed', tone: 'calm' },
  sealed: { glyph: 'sealed', tone: 'calm' },
  rewritten: { glyph: 'rewritten', tone: 'bad' },
};

function chipLook(message: MessageView, state: CardState): ChipLook {
  if (message.claimed) return 'claimed';
  if (state === 'rewritten') return 'differs';
  return message.changed === 'new' ? 'fresh' : 'plain';
}

/** An operation record. Old sealed ones fold to tool, command, outcome and Summary; all others stand open. */
export function OperationCard({ message, was }: { message: MessageView; was?: string }) {
  const state = cardState(message);
  const [open, setOpen] = useState(startsOpen(message));
  const record = message.record;
  if (!record) return null;
  if (!open) return <Folded record={record} onOpen={() => setOpen(true)} />;
  return <Open message={message} record={record} state={state} was={was} onFold={state === 'sealed' ? () => setOpen(false) : undefined} />;
}

function Folded({ record, onOpen }: { record: RecordView; onOpen: () => void }) {
  const { t } = useWords();
  return (
    <button type="button" className="op min" aria-expanded={false} title={t('record.open')} onClick={onOpen}>
      <span className="what">{visible(record.tool)} <em>{visible(commandOf(record.arguments))}</em></span>
      <Outcome text={visible(record.outcome)} />
      <span className="summary">
        {record.source === 'derived' && <span className="warn">{t('record.derived')} </span>}
        {record.source === 'shared' ? <span className="t3">{t('source.shared.why')}</span> : visible(record.summary)}
      </span>
    </button>
  );
}

function Open({ message, record, state, was, onFold }: {
  message: MessageView;
  record: RecordView;
  state: CardState;
  was?: string;
  onFold?: () => void;
}) {
  const { t, f, say } = useWords();
  const title = TITLE[state];
  return (
    <div className={`op ${state}`} data-testid={`card-${state}`}>
      <div className="title">
        <span className={`verdict tone-${title.tone}`}>
          <Glyph name={title.glyph} />
          {t(`record.${state}`)}
        </span>
        {state === 'just-sealed' && record.grown > 0 && <span className="ok s11">+{f.bytes(record.grown)}</span>}
        {record.source !== '' && record.source !== 'shared' && <span className={record.source === 'derived' ? 'tag warn' : 't3 s11'} title={say(`source.${record.source}.why`)}>{say(`source.${record.source}`, record.source)}</span>}
        <span className="grow" />
        <span className="t3 s11">{f.bytes(message.bytes)}</span>
        <HashChip hash={message.leaf} look={chipLook(message, state)} />
        {onFold && <button type="button" className="link s11" aria-expanded onClick={onFold}>{t('fold')}</button>}
      </div>
      <dl lang="en">
        <dt>Action</dt>
        <dd><span className="t1">{visible(record.tool)}</span> {visible(record.arguments)}</dd>
        <dt>Outcome</dt>
        <dd className={outcomeOk(record.outcome) ? 'ok' : 'warn'}>{visible(record.outcome)}</dd>
        {record.result !== '' && (
          <>
            <dt>Result</dt>
            <dd>{visible(record.result)}</dd>
          </>
        )}
        {record.audit !== '' && (
          <>
            <dt>Frame audit</dt>
            <dd>{visible(record.audit)}</dd>
          </>
        )}
        <dt className="summary-name">Summary</dt>
        {record.state === 'pending' ? <dd className="unwritten">{t('record.unwritten')}</dd> : <dd className="words summary-words">{visible(record.summary)}</dd>}
        {was !== undefined && (
          <>
            <dt className="was">{t('record.was')}</dt>
            <dd className="was">{visible(was)}</dd>
          </>
        )}
      </dl>
    </div>
  );
}
