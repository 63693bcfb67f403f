const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `1.4 MB`; powers of 1,000, as disks are sold. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power] ?? 'B'}`;
}

/** `12 s`, `5 min`, `3 h`, `2 d` since an ISO time; clocks that went back give `0 s`. */
export function formatAge(iso: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(iso)) / 1000));
  if (!Number.isFinite(seconds)) return 'unknown';
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 6_000) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** `12,345`, the same on every machine. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 turn`, `2 turns`. */
export function formatAmount(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** One line, cut to `width` characters. */
export function cut(text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, width - 1).join('')}…`;
}
