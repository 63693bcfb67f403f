export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Years 1970–9999 in ms; everything else is no timestamp. ISO texts are read too (some hosts write them). */
export function readTimestamp(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : value;
  return typeof ms === 'number' && Number.isFinite(ms) && ms >= 0 && ms < 253_402_300_800_000
    ? Math.floor(ms)
    : undefined;
}
