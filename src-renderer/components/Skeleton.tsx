import './states.css';

interface Props {
  readonly rows?: number;
  readonly label: string;
}

/** Stands for what is being read. Appears only after 150 ms, and says so in words after a second. */
export function Skeleton({ rows = 6, label }: Props) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton-row" />
      ))}
      <p className="skeleton-words">{label}</p>
    </div>
  );
}
