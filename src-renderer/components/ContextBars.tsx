import type { CSSProperties } from 'react';
import { formatCount, formatDelta, formatShare } from '../model/format-number.ts';
import './ContextBars.css';

interface Props {
  /** Tokens of all summaries and raw turns as they are, and as they would be. */
  readonly before: number;
  readonly after: number;
  /** What a call of this session may take; 0: not known. */
  readonly budget: number;
}

/** The whole context now and then, against the budget of a call; what goes beyond it is hatched red. */
export function ContextBars({ before, after, budget }: Props) {
  const scale = Math.max(before, after, budget, 1) * 1.02;
  const rows = [
    { name: 'Now', tokens: before, delta: undefined },
    { name: 'Then', tokens: after, delta: after - before },
  ];
  return (
    <div className="context-bars">
      <p className="note">The whole context: all summaries and all raw turns.</p>
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
          The line is the budget of a call, <span className="num">{formatCount(budget)} tokens</span>. A call sends what
          fits it.
        </p>
      )}
    </div>
  );
}
