// Marks of 12 × 12, drawn for this program. Readers skip them: the word beside is the name.
import type { Glyph as VerdictGlyph } from '../model/verdict';

export type GlyphName = VerdictGlyph | 'check' | 'cross' | 'ring' | 'equal' | 'crumb' | 'chevron' | 'arc' | 'half' | 'in' | 'out' | 'lines' | 'pending';

const DASHED = <circle cx="6" cy="6" r="4.25" strokeDasharray="2.2 2.25" />;

const SHAPES: Record<GlyphName, React.ReactNode> = {
  first: (
    <>
      <circle cx="6" cy="6" r="3.75" />
      <circle cx="6" cy="6" r="0.75" fill="currentColor" />
    </>
  ),
  extended: <path d="M6 2v8M2 6h8" />,
  sealed: (
    <>
      <rect x="2" y="5.25" width="8" height="5.25" rx="1" />
      <path d="M3.75 5.25V4a2.25 2.25 0 0 1 4.5 0v1.25" />
    </>
  ),
  windowed: <path d="M1.5 6h5.75M5 3.5 7.5 6 5 8.5M10.25 2v8" />,
  changed: <path d="M6 2 10.5 10h-9Z" />,
  rewritten: <path d="M2 4.5h8M2 7.75h8M8.25 1.75l-4.5 8.75" />,
  leaked: <path d="M6 1.5c2 2.6 3 4 3 5.7a3 3 0 0 1-6 0c0-1.7 1-3.1 3-5.7Z" />,
  staged: DASHED,
  pending: DASHED,
  unknown: <circle cx="6" cy="6" r="3.5" strokeDasharray="1 2" />,
  check: <path d="m2.5 6.5 2.5 2.5 4.75-5.5" />,
  cross: <path d="m3 3 6 6M9 3 3 9" />,
  ring: <circle cx="6" cy="6" r="3.5" />,
  half: (
    <>
      <circle cx="6" cy="6" r="3.5" />
      <path d="M6 2.5a3.5 3.5 0 0 0 0 7Z" fill="currentColor" />
    </>
  ),
  equal: <path d="M2 4.25h8M2 7.75h8" />,
  crumb: <path d="M4.5 2.5 8 6l-3.5 3.5" />,
  chevron: <path d="m3 4.5 3 3 3-3" />,
  arc: <circle cx="6" cy="6" r="4" strokeDasharray="14 12" />,
  in: <path d="M10 6H2.5M5 3 2 6l3 3" />,
  out: <path d="M2 6h7.5M7 3l3 3-3 3" />,
  lines: <path d="M2 3.5h8M2 6h8M2 8.500h5" />,
};

export function Glyph({ name, className }: { name: GlyphName; className?: string }) {
  return (
    <svg className={className ? `glyph ${className}` : 'glyph'} viewBox="0 0 12 12" aria-hidden="true">
      {SHAPES[name]}
    </svg>
  );
}
