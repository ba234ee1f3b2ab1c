import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

/** Space kept between a popover and the edges of the window, in px. */
const EDGE = 8;

/** A button with a panel below it. The panel closes on Escape, on a click elsewhere and when focus leaves it. */
export function Popover({ button, className, width, label, align = 'start', disabled, testid, children }: {
  button: React.ReactNode;
  className: string;
  width?: number;
  label: string;
  align?: 'start' | 'end';
  disabled?: boolean;
  testid?: string;
  children: (close: () => void) => React.ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    setOpen(false);
    trigger.current?.focus();
  }, []);
  return (
    <>
      <button ref={trigger} type="button" className={className} aria-haspopup="true" aria-expanded={open} title={label} disabled={disabled} data-testid={testid} onClick={() => setOpen(!open)}>
        {button}
      </button>
      {open && (
        <Panel trigger={trigger} width={width} align={align} label={label} onClose={close} onLeave={() => setOpen(false)}>
          {children(close)}
        </Panel>
      )}
    </>
  );
}

function Panel({ trigger, width, align, label, onClose, onLeave, children }: {
  trigger: React.RefObject<HTMLButtonElement | null>;
  width?: number;
  align: 'start' | 'end';
  label: string;
  onClose: () => void;
  onLeave: () => void;
  children: React.ReactNode;
}) {
  const panel = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null);
  useLayoutEffect(() => {
    const b = trigger.current?.getBoundingClientRect();
    const p = panel.current?.getBoundingClientRect();
    if (!b || !p) return;
    const wanted = align === 'start' ? b.left : b.right - p.width;
    const below = b.bottom + 4;
    setPlace({
      left: Math.max(EDGE, Math.min(window.innerWidth - p.width - EDGE, wanted)),
      top: below + p.height > window.innerHeight - EDGE ? Math.max(EDGE, b.top - p.height - 4) : below,
    });
  }, [trigger, align]);
  const placed = place !== null;
  useLayoutEffect(() => {
    // before it has its place it is hidden, and what is hidden takes no focus
    if (placed) panel.current?.querySelector<HTMLElement>('button:not(:disabled), input, select, textarea')?.focus();
  }, [placed]);
  useEffect(() => {
    const away = (e: PointerEvent) => {
      const at = e.target as Node;
      if (!panel.current?.contains(at) && !trigger.current?.contains(at)) onLeave();
    };
    document.addEventListener('pointerdown', away, true);
    return () => document.removeEventListener('pointerdown', away, true);
  }, [trigger, onLeave]);
  return createPortal(
    <div
      ref={panel}
      className="popover"
      role="dialog"
      aria-label={label}
      style={{ width, left: place?.left ?? 0, top: place?.top ?? 0, visibility: place ? 'visible' : 'hidden' }}
      onKeyDown={(e) => {
        if (e.key === 'Escape') {
          e.stopPropagation();
          onClose();
        } else moveFocus(e, panel.current);
      }}
    >
      {children}
    </div>,
    document.body,
  );
}

/** Up and down go through the menu's entries. They pass by a list of choices: there they choose, and Tab leads to it. */
export function moveFocus(e: React.KeyboardEvent, root: HTMLElement | null): void {
  if ((e.key !== 'ArrowDown' && e.key !== 'ArrowUp') || !root || (e.target as HTMLElement).tagName === 'SELECT') return;
  const items = [...root.querySelectorAll<HTMLElement>('button:not(:disabled), input')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = items[(at + (e.key === 'ArrowDown' ? 1 : -1) + items.length) % items.length];
  e.preventDefault();
  next?.focus();
}
