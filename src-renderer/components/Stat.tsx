import type { ReactNode } from 'react';

/** A named value of a header; stands in a `dl` of the class `stats`. */
export function Stat({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="clip">{children}</dd>
    </div>
  );
}
