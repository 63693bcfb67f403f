/**
 * Hosts before 2026.9 take calls of tools that the model does not have out of the list, and their results with them: what
 * was recalled must come in another form there.
 */
export function dropsUnknownTools(hostVersion: string | undefined): boolean {
  const [, year, month] = /^(\d{4})\.(\d{1,2})\b/.exec(hostVersion ?? '') ?? [];
  return year !== undefined && month !== undefined && Number(year) * 100 + Number(month) < 2026 * 100 + 9;
}
