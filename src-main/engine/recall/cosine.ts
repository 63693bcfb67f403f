/** Cosine of two vectors of whatever length; 0 where one has none, or they have different numbers of numbers. */
export function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  if (one.length !== other.length) return 0;
  let [dot, squares, otherSquares] = [0, 0, 0];
  for (let at = 0; at < one.length; at += 1) {
    const [a = 0, b = 0] = [one[at], other[at]];
    dot += a * b;
    squares += a * a;
    otherSquares += b * b;
  }
  return squares === 0 || otherSquares === 0 ? 0 : dot / Math.sqrt(squares * otherSquares);
}
