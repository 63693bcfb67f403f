import type { Degraded } from '../../../src-shared/model/trace.ts';

/** The call answered, but not as it should have. */
export function DegradedBanner({ degraded }: { readonly degraded: Degraded }) {
  return (
    <p className="degraded" role="note">
      <strong>Degraded</strong> {degraded.message} <code>{degraded.code}</code>
    </p>
  );
}
