// Long texts, page by page, in the bytes the program gives.
import type { TextPage } from '../api/types.gen';
import { PAGE_SIZE } from '../api/service';
import { utf8Length } from '../model/format';

/** Where the page after this one starts; the total when it was the last. */
export function nextOffset(page: TextPage): number {
  const length = page.binary ? PAGE_SIZE : utf8Length(page.text);
  return length === 0 ? page.total : Math.min(page.total, page.offset + length);
}

/** The whole text. For copying; views read by pages. */
export async function readAll(read: (offset: number) => Promise<TextPage>): Promise<string> {
  const texts: string[] = [];
  for (let offset = 0; ; ) {
    const page = await read(offset);
    texts.push(page.text);
    const next = nextOffset(page);
    if (next >= page.total || next <= offset) return texts.join('');
    offset = next;
  }
}
