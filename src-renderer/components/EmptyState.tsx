import type { ReactNode } from 'react';
import './states.css';

interface Props {
  readonly title: string;
  /** What this is, and what fills it. */
  readonly children?: ReactNode;
}

export function EmptyState({ title, children }: Props) {
  return (
    <div className="state">
      <h2 className="state-title">{title}</h2>
      {children !== undefined && <div className="state-body">{children}</div>}
    </div>
  );
}
