/**
 * Turns a sum of parts into a score that means the same for every question. The sum is about the share of the question's
 * words (by what they are worth) that are matched; half of them is a coincidence far more often than all of them are, so
 * the share is squared: less than 0.6 of a question is below the default threshold of 0.35. Parts keep their proportions and add up to the score.
 * @param most the sum that stands for certainty
 */
export function calibrate(
  parts: Readonly<Record<string, number>>,
  most: number,
): { readonly score: number; readonly parts: Record<string, number> } {
  let sum = 0;
  for (const part of Object.values(parts)) sum += part;
  if (sum <= 0) return { score: 0, parts: {} };
  const score = levelled(sum / most);
  const scaled: Record<string, number> = {};
  for (const [name, part] of Object.entries(parts)) if (part !== 0) scaled[name] = (part * score) / sum;
  return { score, parts: scaled };
}

/** Where the square goes over into a curve that nears 1 and never reaches it: what is better stays before what is good. */
const bend = 0.9;

function levelled(share: number): number {
  if (share <= bend) return share ** 2;
  const rest = 1 - bend ** 2;
  return 1 - rest * Math.exp((-2 * bend * (share - bend)) / rest);
}
