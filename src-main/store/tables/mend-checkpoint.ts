import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';

/** Characters; as the routes and imports take them. */
const longestName = 500;
const longestReason = 10_000;

/** The last millisecond that ISO 8601 writes with four digits of year. */
const latestTime = 253_402_300_799_999;

/** Fields that records of earlier versions lack. */
const added = { identifiers_repaired: [], uncovered_sequences: [], attempts: 1, level: 0 };

/**
 * A record as its schema has it. Earlier versions stored numbers and names as language models and transcripts gave
 * them, and checkpoints are never rewritten.
 */
export function mendCheckpoint(record: CompactCheckpoint): CompactCheckpoint {
  const { input_tokens: input, output_tokens: output, model, prompt_version: prompt, fallback, ...rest } = record;
  return {
    ...added,
    ...rest,
    committed_at: Number.isNaN(Date.parse(rest.committed_at)) ? new Date(0).toISOString() : rest.committed_at,
    tokens_before: isCount(rest.tokens_before) ? rest.tokens_before : 0,
    tokens_after: isCount(rest.tokens_after) ? rest.tokens_after : 0,
    source_tokens: isCount(rest.source_tokens) ? rest.source_tokens : 0,
    summary_tokens: isCount(rest.summary_tokens) ? rest.summary_tokens : 0,
    attempts: isCount(rest.attempts) && rest.attempts > 0 ? rest.attempts : added.attempts,
    duration_ms: rest.duration_ms >= 0 && Number.isFinite(rest.duration_ms) ? rest.duration_ms : 0,
    summariser: cut(rest.summariser),
    ...(model === undefined ? {} : { model: cut(model) }),
    ...(prompt === undefined ? {} : { prompt_version: cut(prompt) }),
    ...(fallback === undefined
      ? {}
      : { fallback: { from: cut(fallback.from), reason: cut(fallback.reason, longestReason) } }),
    ...(isCount(input) ? { input_tokens: input } : {}),
    ...(isCount(output) ? { output_tokens: output } : {}),
  };
}

/** Milliseconds since the Unix epoch that a date can be made of. */
export function mendTime(at: number | null): number {
  return Math.min(Math.max(0, at ?? 0), latestTime);
}

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Never between the halves of a character. */
function cut(text: string, longest = longestName): string {
  if (text.length <= longest) return text;
  return text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}
