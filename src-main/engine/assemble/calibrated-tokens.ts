/** Ratios are multiples of 1/50 (see `calibrate`); in whole numbers no rounding error puts a list over its budget. */
const parts = 50;

/** Tokens as this model's provider counts them, of tokens as our tokenizer does. */
export function calibratedTokens(tokens: number, ratio: number): number {
  return Math.ceil((tokens * Math.round(ratio * parts)) / parts);
}

/** The most tokens of our tokenizer that `calibratedTokens` keeps within a budget. */
export function tokensWithin(budget: number, ratio: number): number {
  return Math.floor((budget * parts) / Math.round(ratio * parts));
}
