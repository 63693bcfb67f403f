import { z } from 'zod';

/**
 * Who counted a number of tokens.
 * - `tokenizer`: counted with a real tokenizer (o200k_base), plus the fixed wrapper costs of the message format
 * - `calibrated`: the tokenizer's count times the ratio that the provider's own reports gave for this model
 * - `provider`: reported by the provider
 * - `characters`: estimated from the number of characters, because the deadline left no time to count
 */
export const tokenCounterSchema = z.enum(['tokenizer', 'calibrated', 'provider', 'characters']);
export type TokenCounter = z.infer<typeof tokenCounterSchema>;
