import { formatAgo, formatExactTime, formatTime } from '../model/format-time.ts';
import { useNow } from '../hooks/use-now.ts';

interface Props {
  readonly iso: string;
  /** `ago`: 12 s ago; `clock`: 14:03:22; `both`. */
  readonly as?: 'ago' | 'clock' | 'both';
}

export function Time({ iso, as = 'ago' }: Props) {
  const now = useNow();
  return (
    <time className="num" dateTime={iso} title={formatExactTime(iso)}>
      {as !== 'ago' && formatTime(iso, now)}
      {as === 'both' && <span className="dim"> · </span>}
      {as !== 'clock' && formatAgo(iso, now)}
    </time>
  );
}
