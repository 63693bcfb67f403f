/**
 * Whether two texts differ by exactly one slip of the pen: a letter left out, put in or changed, or two neighbours swapped
 * (Damerau–Levenshtein distance 1). Linear in the texts' length.
 */
export function isOneSlipApart(one: string, other: string): boolean {
  const [short, long] = [[...one], [...other]].sort((a, b) => a.length - b.length) as [string[], string[]];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  let end = 0;
  while (end < short.length - start && short[short.length - 1 - end] === long[long.length - 1 - end]) end += 1;
  const left = short.length - start - end;
  if (long.length > short.length) return left === 0;
  if (left === 1) return true;
  return left === 2 && short[start] === long[start + 1] && short[start + 1] === long[start];
}
