/**
 * How many of `delivered` (from its start) are the newest entries of `stored`: the largest n for which the last n of
 * `stored` equal the first n of `delivered`. Linear time, by the failure function of Knuth, Morris and Pratt.
 */
export function alignPrefix(stored: readonly string[], delivered: readonly string[]): number {
  if (delivered.length === 0) return 0;
  const tail = stored.slice(-delivered.length);
  const failure = failures(delivered);
  let matched = 0;
  for (const key of tail) {
    while (matched > 0 && (matched === delivered.length || delivered[matched] !== key))
      matched = failure[matched - 1] ?? 0;
    if (delivered[matched] === key) matched += 1;
  }
  return matched;
}

function failures(pattern: readonly string[]): number[] {
  const failure = [0];
  let matched = 0;
  for (let index = 1; index < pattern.length; index += 1) {
    while (matched > 0 && pattern[index] !== pattern[matched]) matched = failure[matched - 1] ?? 0;
    if (pattern[index] === pattern[matched]) matched += 1;
    failure.push(matched);
  }
  return failure;
}
