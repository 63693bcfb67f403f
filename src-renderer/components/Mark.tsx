import './Mark.css';

interface Props {
  /** How much of it is filled; `cross` and `dashed` are empty. */
  readonly fill: 'full' | 'half' | 'none' | 'dashed' | 'cross';
  /** Decisions and identifiers are round, checkpoints square. */
  readonly shape?: 'round' | 'square';
  readonly word: string;
  /** `danger` is for loss only. */
  readonly tone?: 'plain' | 'warn' | 'danger';
  readonly title?: string | undefined;
  /** False where the word has no room; screen readers have it all the same. */
  readonly named?: boolean;
}

/** A state as a shape and a word: never by colour alone. */
export function Mark({ fill, shape = 'round', word, tone = 'plain', title, named = true }: Props) {
  const line = {
    fill: fill === 'full' ? 'currentColor' : 'none',
    stroke: 'currentColor',
    strokeWidth: 1.5,
    ...(fill === 'dashed' ? { strokeDasharray: '2 1.6' } : {}),
  };
  return (
    <span className={`mark ${tone}`} title={title}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        {shape === 'round' ? (
          <circle cx="6" cy="6" r="4.5" {...line} />
        ) : (
          <rect x="1.5" y="1.5" width="9" height="9" {...line} />
        )}
        {fill === 'half' && <path d={halves[shape]} fill="currentColor" />}
        {fill === 'cross' && <path d="M4.2 4.2l3.6 3.6M7.8 4.2l-3.6 3.6" stroke="currentColor" strokeWidth="1.5" />}
      </svg>
      <span className={named ? 'clip' : 'visually-hidden'}>{word}</span>
    </span>
  );
}

const halves = { round: 'M6 1.5a4.5 4.5 0 0 0 0 9z', square: 'M1.5 1.5h4.5v9h-4.5z' } as const;
