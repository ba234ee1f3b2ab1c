import { useRef } from 'react';
import { BOUNDS, type Sized } from '../model/prefs';
import { setSize } from '../state/actions';
import { useApp } from '../state/store';

/** How far an arrow key moves a splitter, in px. */
const KEY_STEP = 16;

/** A line between two panes. `grows` says in which direction of the pointer the sized pane becomes larger. */
export function Splitter({ name, axis, grows, label, className, style }: {
  name: Sized;
  axis: 'x' | 'y';
  grows: 1 | -1;
  label: string;
  className?: string;
  style?: React.CSSProperties;
}) {
  const size = useApp((s) => s.prefs[name]);
  const from = useRef<{ at: number; size: number } | null>(null);
  const place = (e: React.PointerEvent) => (axis === 'x' ? e.clientX : e.clientY);
  return (
    <div
      className={`splitter ${axis === 'x' ? 'vertical' : 'horizontal'} ${className ?? ''}`}
      role="separator"
      aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={BOUNDS[name][0]}
      aria-valuemax={BOUNDS[name][1]}
      tabIndex={0}
      style={style}
      onPointerDown={(e) => {
        e.preventDefault();
        e.currentTarget.setPointerCapture(e.pointerId);
        from.current = { at: place(e), size };
      }}
      onPointerMove={(e) => {
        if (from.current) setSize(name, from.current.size + (place(e) - from.current.at) * grows);
      }}
      onPointerUp={() => (from.current = null)}
      onPointerCancel={() => (from.current = null)}
      onKeyDown={(e) => {
        const back = axis === 'x' ? 'ArrowLeft' : 'ArrowUp';
        const on = axis === 'x' ? 'ArrowRight' : 'ArrowDown';
        if (e.key !== back && e.key !== on) return;
        e.preventDefault();
        setSize(name, size + (e.key === on ? KEY_STEP : -KEY_STEP) * grows);
      }}
    />
  );
}
