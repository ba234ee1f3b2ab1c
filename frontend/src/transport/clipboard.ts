import { OWN } from '../i18n/own';

/** Copies by the page's own means: the clipboard API where the origin may use it, else a selection. */
export async function copyInPage(text: string): Promise<void> {
  if (navigator.clipboard?.writeText) {
    try {
      await navigator.clipboard.writeText(text);
      return;
    } catch {
      // refused by the browser: the older way may still be allowed
    }
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'offscreen';
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error(OWN['own.copy']);
}
