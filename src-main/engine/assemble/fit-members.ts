/**
 * Shares a limit among messages that belong together: small ones stay whole, and what they leave goes to the large ones
 * in equal parts. Returns the tokens of each, in order.
 */
export function fitMembers(tokens: readonly number[], limit: number): number[] {
  const fitted = tokens.map(() => 0);
  const smallestFirst = [...tokens.keys()].sort((a, b) => (tokens[a] ?? 0) - (tokens[b] ?? 0));
  let left = Math.max(0, limit);
  smallestFirst.forEach((index, at) => {
    const share = Math.min(tokens[index] ?? 0, Math.floor(left / (tokens.length - at)));
    fitted[index] = share;
    left -= share;
  });
  return fitted;
}
