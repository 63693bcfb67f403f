import type { CSSProperties } from 'react';
import { formatCount, formatDelta, formatShare } from '../model/format-number.ts';
import './ContextBars.css';

interface Props {
  /** Tokens of the whole context as it is, and as it would be. */
  readonly before: number;
  readonly after: number;
  /** 0: not known. */
  readonly budget: number;
}

/** The context now and then, against the budget; what goes beyond it is hatched red. */
export function ContextBars({ before, after, budget }: Props) {
  const scale = Math.max(before, after, budget, 1) * 1.02;
  const rows = [
    { name: 'Context now', tokens: before, delta: undefined },
    { name: 'Then', tokens: after, delta: after - before },
  ];
  return (
    <div className="context-bars">
      {rows.map(({ name, tokens, delta }) => (
        <div key={name} className="context-row">
          <span className="soft">{name}</span>
          <span
            className="context-track"
            style={
              {
                '--fill': tokens / scale,
                '--mark': (budget > 0 ? Math.min(tokens, budget) : tokens) / scale,
              } as CSSProperties
            }
            aria-hidden="true"
          >
            <span className="context-fill kind-fill" data-kind="raw_turn" />
            {budget > 0 && tokens > budget && <span className="context-over" />}
            {budget > 0 && <span className="context-budget" style={{ left: `${(budget / scale) * 100}%` }} />}
          </span>
          <span className="num right">≈ {formatCount(tokens)}</span>
          <span className={`num right${budget > 0 && tokens > budget ? ' danger' : ' soft'}`}>
            {budget > 0 ? formatShare(tokens / budget) : ''}
          </span>
          <span className="num right">{delta === undefined ? '' : formatDelta(delta)}</span>
        </div>
      ))}
      {budget > 0 && (
        <p className="note">
          The line is the budget of this session, <span className="num">{formatCount(budget)} tokens</span>.
        </p>
      )}
    </div>
  );
}
