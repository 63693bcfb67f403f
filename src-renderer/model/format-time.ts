const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `12 s ago`. A clock that is ahead of ours by less than a minute counts as now. */
export function formatAgo(iso: string, now: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const seconds = Math.round((now - at) / 1_000);
  if (seconds < -60) return `in ${age(-seconds)}`;
  if (seconds < 2) return 'just now';
  return `${age(seconds)} ago`;
}

/** A length of time in its largest unit: `12 min`. */
export function formatSpan(ms: number): string {
  return age(Math.max(0, Math.round(ms / 1_000)));
}

/** How long it is until then, `40 s`; `0 s` when it has passed. */
export function formatUntil(iso: string, now: number): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? iso : age(Math.max(0, Math.ceil((at - now) / 1_000)));
}

/** Local wall-clock time: `14:03:22` on the same day, `12 Nov 14:03` in the same year, else with the year. */
export function formatTime(iso: string, now: number): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const today = new Date(now);
  const time = `${pad(at.getHours())}:${pad(at.getMinutes())}`;
  if (at.toDateString() === today.toDateString()) return `${time}:${pad(at.getSeconds())}`;
  const day = `${at.getDate()} ${months[at.getMonth()] ?? ''}`;
  return at.getFullYear() === today.getFullYear() ? `${day} ${time}` : `${day} ${at.getFullYear()}`;
}

/** For explanations: the exact moment, local time with its offset, and what was sent. */
export function formatExactTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const date = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  const time = `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
  return `${date} ${time}.${String(at.getMilliseconds()).padStart(3, '0')} ${offset(at)}`;
}

function age(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

function offset(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const sign = minutes < 0 ? '−' : '+';
  return `UTC${sign}${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
