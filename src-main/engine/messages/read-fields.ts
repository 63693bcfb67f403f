export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** JSON text of a value that came as JSON; nothing where there is no value. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

/** The first moment of the year 10000, which ISO 8601 writes in another form. */
const endOfTime = 253_402_300_800_000;

/**
 * Years 1970–9999 in ms; everything else is no timestamp, nor is 0, which hosts write for "unknown". ISO texts are
 * read too (some hosts write them).
 */
export function readTimestamp(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : value;
  return typeof ms === 'number' && ms >= 1 && ms < endOfTime ? Math.floor(ms) : undefined;
}
