/** `and/or`, `24/7`, `2026/11/30`, `km/h`: a slash alone makes no path. */
export function isNoPath(match: string): boolean {
  if (/^(?:[~/\\]|[A-Za-z]:|\.{1,2}[/\\])/.test(match)) return /^[/\\]\w?$/.test(match);
  const segments = match.split(/[/\\]/);
  if (segments.every((segment) => /^[\d.,%]*$/.test(segment))) return true;
  if (segments.length > 2) return false;
  const isPlain = segments.every((segment) => /^[A-Za-z]*$/.test(segment));
  return isPlain && (plainPairs.has(match.toLowerCase()) || segments.some((segment) => segment.length < 2));
}

const plainPairs: ReadonlySet<string> = new Set(
  'and/or either/or he/she she/he his/her him/her yes/no true/false on/off input/output read/write client/server start/stop before/after pros/cons ci/cd tcp/ip up/down left/right open/closed win/loss'.split(
    ' ',
  ),
);
