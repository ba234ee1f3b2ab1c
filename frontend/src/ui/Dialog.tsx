import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { show } from '../state/actions';
import { useWords } from './words';

/** A panel over the window. Escape and a click beside it close it; focus stays inside and goes back where it was. */
export function Dialog({ title, width, height, top, actions, footer, className, children }: {
  title?: string;
  width: number | string;
  height?: number | string;
  top?: boolean;
  actions?: React.ReactNode;
  footer?: React.ReactNode;
  className?: string;
  children: React.ReactNode;
}) {
  const { t } = useWords();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    if (!box.current?.contains(before)) firstOf(box.current)?.focus();
    return () => before?.focus?.();
  }, []);
  useEffect(() => {
    // what had the focus is gone from the panel: it must not fall to the window behind
    if (document.activeElement === document.body) box.current?.querySelector<HTMLElement>(FOCUSABLE)?.focus();
  });
  return (
    <div className={top ? 'scrim top' : 'scrim'} onPointerDown={(e) => e.target === e.currentTarget && show(null)}>
      <div
        ref={box}
        className={`dialog ${className ?? ''}`}
        role="dialog"
        aria-modal="true"
        aria-label={title ?? t('palette.title')}
        style={{ width, height }}
        onKeyDown={(e) => {
          if (e.key === 'Escape') {
            e.stopPropagation();
            show(null);
          } else if (e.key === 'Tab') keepFocus(e, box.current);
        }}
      >
        {title !== undefined && (
          <div className="top">
            <h2 className="grow" title={title}>{title}</h2>
            {actions}
            <button type="button" className="btn square small" aria-label={t('close')} title={t('close')} onClick={() => show(null)}>
              <X className="icon" />
            </button>
          </div>
        )}
        {children}
        {footer && <div className="bottom">{footer}</div>}
      </div>
    </div>
  );
}

/** What a person came for, before what stands first: the button that closes does. */
const WANTED = ['[data-autofocus]:not(:disabled)', 'input:not(:disabled), textarea:not(:disabled), select:not(:disabled)', '.bottom button:not(:disabled)', 'button'];

function firstOf(box: HTMLElement | null): HTMLElement | null {
  for (const wanted of WANTED) {
    const found = box?.querySelector<HTMLElement>(wanted);
    if (found) return found;
  }
  return null;
}

const FOCUSABLE = 'button:not(:disabled), input, select:not(:disabled), textarea, [tabindex="0"]';

function keepFocus(e: React.KeyboardEvent, root: HTMLElement | null): void {
  const items = [...(root?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
  if (items.length === 0) return;
  const edge = e.shiftKey ? items[0] : items[items.length - 1];
  if (document.activeElement !== edge) return;
  e.preventDefault();
  (e.shiftKey ? items[items.length - 1] : items[0]).focus();
}
