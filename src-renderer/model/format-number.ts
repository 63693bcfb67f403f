const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
const score = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 3 });

export function formatCount(value: number): string {
  return whole.format(value);
}

/** `+1,204`, `−310`, `±0`: a difference always carries its sign. */
export function formatDelta(value: number): string {
  if (value === 0) return '±0';
  return `${value > 0 ? '+' : '−'}${whole.format(Math.abs(value))}`;
}

export function formatShare(share: number): string {
  return percent.format(share);
}

export function formatScore(value: number): string {
  return score.format(value);
}

/** Bytes in binary units, three figures. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit] ?? 'B'}`;
}

/** Milliseconds as `0.4 ms`, `12 ms`, `3.2 s` or `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1_000) return `${ms.toFixed(0)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `1 turn`, `2 turns`. */
export function formatNoun(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
