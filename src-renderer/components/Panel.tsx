import type { ReactNode } from 'react';
import './Panel.css';

interface Props {
  readonly title: string;
  readonly side?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

export function Panel({ title, side, children, className = '' }: Props) {
  return (
    <section className={`panel ${className}`}>
      <header className="panel-head">
        <h2>{title}</h2>
        {side !== undefined && <div className="panel-side">{side}</div>}
      </header>
      <div className="panel-body">{children}</div>
    </section>
  );
}
