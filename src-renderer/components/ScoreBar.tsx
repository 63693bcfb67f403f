import type { CSSProperties } from 'react';
import { formatScore } from '../model/format-number.ts';
import { partTone, scoreParts } from '../model/score-parts.ts';
import './ScoreBar.css';

interface Props {
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
  /** The score that was asked for, as a line. */
  readonly threshold?: number | undefined;
}

/** A score from 0 to 1 as the parts that add up to it. What takes away is told in words. */
export function ScoreBar({ score, parts, threshold }: Props) {
  const shown = scoreParts(parts);
  const words = shown.map(({ name, value }) => `${name} ${formatScore(value)}`).join(', ');
  return (
    <div className="score-bar" role="img" aria-label={`Score ${formatScore(score)}: ${words}`} title={words}>
      <div className="score-track">
        {shown
          .filter(({ value }) => value > 0)
          .map(({ name, tone, value }) => (
            <span
              key={name}
              className="score-part part-fill"
              data-part={tone}
              style={{ width: `${Math.min(1, value) * 100}%` }}
            />
          ))}
        {threshold !== undefined && (
          <span className="score-threshold" style={{ '--at': `${Math.min(1, threshold) * 100}%` } as CSSProperties} />
        )}
      </div>
    </div>
  );
}

/** The colour of a part and its name. */
export function PartMark({ name, title }: { readonly name: string; readonly title?: string }) {
  return (
    <span className="part-mark" title={title}>
      <span className="part-swatch part-fill" data-part={partTone(name)} aria-hidden="true" />
      {name.replaceAll('_', ' ')}
    </span>
  );
}
