/**
 * From how many characters on a tool result is large. OpenClaw cuts what it writes into its transcript at 16,000, 32,000
 * or 64,000 characters, by the model's window (its `resolveLiveToolResultMaxChars`, 2026.9.6): with the smallest of them
 * nothing that any host would cut for good passes by without being stored whole first.
 */
export const defaultThresholdCharacters = 16_000;

/** Some 500 tokens: what an overview of a checkpoint takes. */
export const defaultSynopsisCharacters = 2_000;

/**
 * Results of this tool are pages of what is stored already; to store them again, and to give the model a synopsis of
 * what it has just asked to read, would lead nowhere.
 */
export const expandToolName = 'memory_expand';

export interface ResultLimits {
  readonly thresholdCharacters: number;
  readonly synopsisCharacters: number;
}
