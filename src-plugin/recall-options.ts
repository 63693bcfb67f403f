import type { z } from 'zod';
import type { recallOptionsSchema } from '../src-shared/protocol/assemble.ts';

export type RecallOptions = z.input<typeof recallOptionsSchema>;

/**
 * The earlier plugin's keys of recall. A limit, a window or a budget of 0 turned recall off there, and does here. Values of
 * the wrong type count as absent.
 */
export function readRecallOptions(raw: Readonly<Record<string, unknown>> | undefined): RecallOptions {
  const number = (key: string): number | undefined => {
    const value = raw?.[key];
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const whole = (key: string, least: number, most: number): number | undefined => {
    const value = number(key);
    return value === undefined ? undefined : Math.min(most, Math.max(least, Math.floor(value)));
  };
  const isOff =
    raw?.['autoRecall'] === false ||
    ['recallLimit', 'recallTokenBudget', 'recallMaxContentChars', 'assembleRecallWindow'].some(
      (key) => number(key) === 0,
    );
  if (isOff) return { enabled: false };
  const score = number('recallScoreThreshold');
  const options: RecallOptions = {
    enabled: raw?.['autoRecall'] === true ? true : undefined,
    window: whole('assembleRecallWindow', 1, 20),
    limit: whole('recallLimit', 1, 50),
    min_score: score === undefined ? undefined : Math.min(1, score),
    max_tokens: whole('recallTokenBudget', 1, 50_000),
    max_item_characters: whole('recallMaxContentChars', 20, 100_000),
    prefer_abstract: typeof raw?.['recallPreferAbstract'] === 'boolean' ? raw['recallPreferAbstract'] : undefined,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
