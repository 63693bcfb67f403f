/**
 * From how many characters on a result is replaced as soon as it is there. OpenClaw cuts what it writes into its transcript
 * at 16,000, 32,000 or 64,000 characters, by the model's window (its `resolveLiveToolResultMaxChars`, 2026.9.6): with the
 * smallest of them nothing that a host would cut for good passes by without being stored whole first, and what its own
 * tools page to just below that stays at hand while it is new.
 */
export const defaultNewThresholdCharacters = 16_000;

/**
 * From how many characters on a result of an older turn is replaced: half a page of the host's own tools with the smallest
 * window, some 2,000 tokens. The log has it whole.
 */
export const defaultThresholdCharacters = 8_000;

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
