// Pictures that go with a message: what they are, and what of them is taken. The program checks the same again; a unit
// test holds the limits to its own.

/** Bytes of one picture, and of those of one message together. */
export const MAX_PICTURE_BYTES = 20 * 1024 * 1024;
/** Pictures of one message. */
export const MAX_PICTURES = 8;
/** Bytes at the start of a file that say what it is. */
export const MAGIC_BYTES = 12;

/** One picture that waits for its message. */
export interface Picture {
  id: number;
  name: string;
  /** image/png, told by its bytes */
  type: string;
  bytes: number;
  /** base64 */
  data: string;
  /** a small one as a data URL; "" where it could not be drawn */
  thumb: string;
}

const KINDS: readonly { type: string; at: number; bytes: string }[] = [
  { type: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { type: 'image/gif', at: 0, bytes: 'GIF8' },
  { type: 'image/webp', at: 8, bytes: 'WEBP' },
];

export const PICTURE_TYPES: readonly string[] = KINDS.map((k) => k.type);

/** What a file is by its first bytes: one of the types that are taken, or "". */
export function kindOf(start: Uint8Array): string {
  const text = String.fromCharCode(...start.slice(0, MAGIC_BYTES));
  return KINDS.find((k) => text.startsWith(k.bytes, k.at))?.type ?? '';
}

/** Whether something that is held or dropped is meant as a picture, by what the browser calls it. */
export const isImage = (f: { type: string }) => f.type.startsWith('image/');

export type Refusal = 'picture-kind' | 'picture-size' | 'pictures' | 'picture-many';

/** Why a picture can't be added to those that wait; null when it can. */
export function refusal(have: readonly { bytes: number }[], type: string, bytes: number): Refusal | null {
  if (type === '') return 'picture-kind';
  if (bytes > MAX_PICTURE_BYTES) return 'picture-size';
  if (have.length >= MAX_PICTURES) return 'picture-many';
  return have.reduce((sum, p) => sum + p.bytes, bytes) > MAX_PICTURE_BYTES ? 'pictures' : null;
}

/** image/png as people write it. */
export const typeName = (type: string) => type.replace(/^image\//, '').toUpperCase();
