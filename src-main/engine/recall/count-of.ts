/** How often a number is among others. */
export function countOf(numbers: Int32Array, wanted: number): number {
  let count = 0;
  for (let at = 0; at < numbers.length; at += 1) if (numbers[at] === wanted) count += 1;
  return count;
}
