const namePattern = /^(\d{15})-(\d{6})-[0-9a-f]{8}\.json$/;

export function isSpoolName(name: string): boolean {
  return namePattern.test(name);
}

/** The next name: behind all others in order, also when the clock went back. */
export function nextSpoolName(names: readonly string[], now: number, random: string): string {
  const newest = namePattern.exec(names.filter(isSpoolName).sort().at(-1) ?? '');
  const newestTime = Number(newest?.[1] ?? 0);
  const time = Math.max(now, newestTime);
  const count = time === newestTime ? Number(newest?.[2] ?? 0) + 1 : 0;
  return `${String(time).padStart(15, '0')}-${String(count).padStart(6, '0')}-${random}.json`;
}
