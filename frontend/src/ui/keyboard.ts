import { useEffect } from 'react';
import { commandOfKey } from '../model/keys';
import { show } from '../state/actions';
import { get } from '../state/store';
import { perform, saidBy } from './commands';
import { useWords } from './words';

/** Whether keys go into a text at this element. */
function isTyping(el: EventTarget | null): boolean {
  const e = el as HTMLElement | null;
  if (!e?.tagName) return false;
  return e.tagName === 'TEXTAREA' || e.tagName === 'SELECT' || (e.tagName === 'INPUT' && (e as HTMLInputElement).type !== 'checkbox') || e.isContentEditable;
}

/** One listener for the whole window. */
export function useKeyboard(): void {
  const { t } = useWords();
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      if (e.isComposing || e.defaultPrevented) return;
      const command = commandOfKey({ key: e.key, ctrl: e.ctrlKey || e.metaKey, shift: e.shiftKey, alt: e.altKey, typing: isTyping(e.target) });
      const overlay = get().overlay;
      if (overlay && e.key === 'Escape') return show(null); // the focus may have fallen out of the panel
      if (!command) return;
      if (overlay && command !== 'palette' && command !== 'help') return;
      e.preventDefault();
      perform(command, saidBy(t));
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [t]);
}
