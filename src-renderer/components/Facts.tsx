import type { ReactNode } from 'react';
import './Facts.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** Names at the left, values at the right, numbers in one column. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
