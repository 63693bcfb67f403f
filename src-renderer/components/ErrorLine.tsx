import type { ClientError } from '../client/client-error.ts';
import './states.css';

/** A failure inside of something else: what happened, and what to do. */
export function ErrorLine({ title, error }: { readonly title: string; readonly error: ClientError }) {
  return (
    <p className="error-line" role="alert">
      <strong>{title}.</strong> {error.message} <span className="soft">{error.remedy}</span>
    </p>
  );
}
