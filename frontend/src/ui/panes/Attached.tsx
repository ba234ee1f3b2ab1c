import { Image as ImageIcon, ImagePlus, X } from 'lucide-react';
import { useRef } from 'react';
import type { MessageView } from '../../api/types.gen';
import { PICTURE_TYPES, typeName, type Picture } from '../../model/picture';
import { visible } from '../../model/visible';
import { attachPictures, detach } from '../../state/actions';
import { useWords } from '../words';

/** Asks for pictures by the browser's own dialog. */
export function AttachButton() {
  const { t } = useWords();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="btn small square" title={t('picture.attach')} aria-label={t('picture.attach')} data-testid="attach" onClick={() => input.current?.click()}>
        <ImagePlus className="icon" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={PICTURE_TYPES.join(',')}
        data-testid="attach-input"
        onChange={(e) => {
          const files = [...(e.target.files ?? [])];
          e.target.value = ''; // the same file may be chosen again
          void attachPictures(files);
        }}
      />
    </>
  );
}

/** The pictures that go with the next message. */
export function Attached({ list, onRemoved }: { list: readonly Picture[]; onRemoved: () => void }) {
  const { t, f } = useWords();
  if (list.length === 0) return null;
  return (
    <ul className="attached" aria-label={t('picture.list')} data-testid="attached">
      {list.map((p) => {
        const name = visible(p.name);
        return (
          <li key={p.id} title={name}>
            {p.thumb === '' ? <ImageIcon className="icon" /> : <img src={p.thumb} alt="" width={28} height={28} />}
            <span className="named"><span className="cut">{name}</span><small>{t('picture.about', { type: typeName(p.type), size: f.size(p.bytes) })}</small></span>
            <button
              type="button"
              className="btn small square"
              title={t('picture.remove', { name })}
              aria-label={t('picture.remove', { name })}
              onClick={() => {
                detach(p.id);
                onRemoved();
              }}
            >
              <X className="icon" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The pictures of a message that was sent: told of, never drawn. */
export function Pictures({ message }: { message: MessageView }) {
  const { t, f } = useWords();
  if (message.images === 0) return null;
  if (message.pictures.length === 0) return <span className="tag">{t('message.images', { n: message.images })}</span>;
  return (
    <span className="pictures" data-testid="pictures">
      {message.pictures.map((p, i) => (
        <span key={i} className="tag">
          <ImageIcon className="icon mini" />
          {p.type === '' ? t('picture.linked') : t('picture.part', { type: visible(typeName(p.type)), size: f.size(p.bytes) })}
        </span>
      ))}
    </span>
  );
}
