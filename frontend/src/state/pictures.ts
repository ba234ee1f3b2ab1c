// Pictures that wait for the message they go with. They belong to a session: another one has its own.
import { SENTENCES } from '../i18n/hear';
import { OWN } from '../i18n/own';
import { kindOf, MAGIC_BYTES, MAX_PICTURE_BYTES, MAX_PICTURES, refusal, type Picture, type Refusal } from '../model/picture';
import { get, set } from './store';

/** Pixels of a small picture's shorter side: twice what it is drawn at. */
const THUMB_PX = 56;
/** Characters of a small picture that is kept; one that is larger is left out. */
const THUMB_CHARS = 64 * 1024;

const NONE: readonly Picture[] = [];

/** Those that wait in the open session. */
export function waiting(s: { attached: { session: string; list: readonly Picture[] }; snapshot: { current: string } | null }): readonly Picture[] {
  return s.attached.session === (s.snapshot?.current ?? '') ? s.attached.list : NONE;
}

function put(list: readonly Picture[]): void {
  set({ attached: { session: get().snapshot?.current ?? '', list } });
}

export const detach = (id: number) => put(waiting(get()).filter((p) => p.id !== id));
export const detachAll = () => put(NONE);

/** Takes pictures in order, and gives a sentence for each that is not taken. */
export async function attach(files: readonly File[]): Promise<string[]> {
  const session = get().snapshot?.current ?? '';
  const refused: string[] = [];
  for (const file of files) {
    const type = kindOf(new Uint8Array(await file.slice(0, MAGIC_BYTES).arrayBuffer()));
    const no = refusal(waiting(get()), type, file.size);
    if (no) {
      refused.push(said(no, file.name));
      continue;
    }
    const [data, thumb] = await Promise.all([base64(file), small(file)]);
    if ((get().snapshot?.current ?? '') !== session) return [OWN['own.picture.gone']];
    const list = waiting(get());
    put([...list, { id: Math.max(0, ...list.map((p) => p.id)) + 1, name: file.name, type, bytes: file.size, data, thumb }]);
  }
  return refused;
}

/** The program's own sentence, so that both refuse in the same words. */
function said(no: Refusal, name: string): string {
  const n = no === 'picture-many' ? MAX_PICTURES : MAX_PICTURE_BYTES / 1024 / 1024;
  const text = SENTENCES[`fault.${no}`].replace('{n:d}', String(n));
  return no === 'picture-kind' || no === 'picture-size' ? `${name}: ${text}` : text;
}

function base64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new Error(OWN['own.picture.unread']));
    reader.readAsDataURL(file);
  });
}

/** The page's policy lets it draw data, and nothing from an address. What can't be decoded is shown by its name alone. */
async function small(file: Blob): Promise<string> {
  try {
    const whole = await createImageBitmap(file);
    const scale = Math.min(1, THUMB_PX / Math.min(whole.width, whole.height));
    const canvas = document.createElement('canvas');
    const side = Math.min(whole.width, whole.height);
    canvas.width = canvas.height = Math.max(1, Math.round(side * scale));
    canvas.getContext('2d')?.drawImage(whole, (whole.width - side) / 2, (whole.height - side) / 2, side, side, 0, 0, canvas.width, canvas.height);
    whole.close();
    const url = canvas.toDataURL('image/png');
    return url.length <= THUMB_CHARS ? url : '';
  } catch {
    return '';
  }
}
