import type { ClientError } from '../client/client-error.ts';
import { useNow } from '../hooks/use-now.ts';
import { formatAgo } from '../model/format-time.ts';
import './states.css';

interface Props {
  readonly error: ClientError | undefined;
  /** When what is shown was read, ms since the epoch. */
  readonly loadedAt: number | undefined;
  readonly onRetry: () => void;
}

/** Above a list whose newest reading failed: what is shown is true as of then. */
export function StaleNotice({ error, loadedAt, onRetry }: Props) {
  const now = useNow();
  if (error === undefined || loadedAt === undefined) return null;
  return (
    <p className="stale-notice" role="status">
      <span>
        Stale, read {formatAgo(new Date(loadedAt).toISOString(), now)}: {error.message}
      </span>
      <button type="button" className="button small" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}
