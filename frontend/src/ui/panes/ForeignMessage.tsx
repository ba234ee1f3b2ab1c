import type { BlockView, MessageView } from '../../api/types.gen';
import { roleClass } from '../../model/record';
import { visible } from '../../model/visible';
import { openPart } from '../../state/actions';
import { Glyph } from '../Glyph';
import { useWords } from '../words';

function Call({ block }: { block: BlockView }) {
  return (
    <span className="block-call">
      <Glyph name="out" />
      <b className="mono">{visible(block.name)}</b>{' '}
      <code>{visible(block.text)}</code>
    </span>
  );
}

function Result({ block }: { block: BlockView }) {
  const { t } = useWords();
  return (
    <span className={block.failed ? 'block-result failed' : 'block-result'}>
      <span className="t3"><Glyph name="in" />{block.name === '' ? t('block.result') : t('block.result.of', { tool: block.name })}{block.failed && <span className="bad"> {t('block.failed')}</span>}</span>
      <code>{visible(block.text) || t('message.empty')}</code>
    </span>
  );
}

function Block({ block }: { block: BlockView }) {
  const { t, f } = useWords();
  switch (block.kind) {
    case 'text': return <span className="block-text">{visible(block.text)}</span>;
    case 'call': return <Call block={block} />;
    case 'result': return <Result block={block} />;
    case 'reasoning': return (
      <span className="block-reasoning">
        <span className="t3">{t('block.reasoning')}</span> {visible(block.text)}
        {block.hidden && <span className="tag" title={t('block.hidden.why')}>{t('block.hidden', { size: f.size(block.bytes) })}</span>}
      </span>
    );
    case 'image': return <span className="tag" title={visible(block.text) || t('block.image.why')}>{t('block.image', { media: block.media || block.text || '?', size: f.size(block.bytes) })}</span>;
    case 'file': return <span className="tag">{t('block.file', { name: block.name, size: f.size(block.bytes) })}</span>;
    default: return <code className="block-raw">{visible(block.text)}</code>;
  }
}

/** A message of another agent, block by block, whichever dialect it is in. */
export function ForeignMessage({ message }: { message: MessageView }) {
  const { t, f, say } = useWords();
  const whole = message.whole && message.blocks.every((b) => b.whole);
  return (
    <div className={`say foreign ${roleClass(message.role)}`}>
      <b>{say(`role.${message.role}`, visible(message.role))}</b>
      {message.blocks.length === 0 && <span className="t3">{t('message.empty')}</span>}
      {message.blocks.map((b, i) => <Block key={i} block={b} />)}
      {message.claimed && <span className="tag dashed" title={t('claimed.part.why')}>{t('claimed.part')}</span>}
      {message.changed === 'changed' && <span className="changed-note">{t('message.changed')}</span>}
      {!whole && (
        <button type="button" className="link more" onClick={() => openPart(`messages[${message.index}]`, message)}>
          {t('open.all', { bytes: f.bytes(message.bytes) })}
        </button>
      )}
    </div>
  );
}
