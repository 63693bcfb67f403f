import type { ReactNode } from 'react';

/** A named value of a header; stands in a `dl` of the class `stats`. */
export function Stat({
  name,
  title,
  children,
}: {
  readonly name: string;
  readonly title?: string;
  readonly children: ReactNode;
}) {
  return (
    <div>
      <dt title={title}>{name}</dt>
      <dd className="clip">{children}</dd>
    </div>
  );
}
