import { describe, expect, it } from 'vitest';
import { decisionReasonSchema, type DecisionReason } from '../../src-shared/model/trace.ts';
import { reasonSentence } from './reason-sentence.ts';
import { sampleDecision, sampleItem } from './testing/samples.ts';

describe('the sentence of a decision', () => {
  it('says what was needed and what was left when the budget was too small', () => {
    const decision = sampleDecision({
      action: 'dropped',
      reason: 'over_budget',
      tokens_before: 1_204,
      tokens_after: 0,
      budget_left: 310,
    });
    expect(reasonSentence(decision, sampleItem())).toBe('Left out: over budget, 1,204 tokens needed, 310 left');
  });

  it('does not call a turn too large that would have fitted', () => {
    const decision = sampleDecision({ action: 'dropped', reason: 'over_budget', tokens_before: 29, budget_left: 137 });
    expect(reasonSentence(decision, sampleItem())).toBe(
      'Left out: outside of the window, which starts after it, 29 tokens needed, 137 left',
    );
  });

  it('compares the score with the threshold as they were', () => {
    const decision = sampleDecision({
      action: 'dropped',
      reason: 'strategy_choice',
      scores: { final: 0.42 },
      threshold: 0.5,
    });
    expect(reasonSentence(decision, sampleItem())).toBe('Left out: chosen by the strategy, 0.42 < 0.50');
  });

  it('names a limit in tokens where nothing was scored', () => {
    const decision = sampleDecision({ reason: 'summary_newest', threshold: 2_950 });
    expect(reasonSentence(decision, undefined)).toBe('Included: summary of the newest checkpoint, limit 2,950');
  });

  it('says of recalled memory how good it was', () => {
    const decision = sampleDecision({ reason: 'recalled', scores: { final: 0.86, lexical: 0.4 } });
    expect(reasonSentence(decision, sampleItem({ kind: 'recalled_memory' }))).toBe(
      'Included: recalled from memory for this question, score 0.86',
    );
  });

  it('does not compare a score with a limit of results or of tokens', () => {
    const scores = { final: 0.44 };
    const over = sampleDecision({ action: 'dropped', reason: 'recall_over_limit', scores, threshold: 6 });
    expect(reasonSentence(over, undefined)).toMatch(/, score 0\.44, limit 6 results$/);
    const large = sampleDecision({
      action: 'dropped',
      reason: 'recall_over_budget',
      scores,
      threshold: 1_200,
      tokens_before: 1_500,
    });
    expect(reasonSentence(large, undefined)).toMatch(/, 1,500 tokens needed, limit 1,200$/);
  });

  it('says that a change of standing memory waits', () => {
    const decision = sampleDecision({ reason: 'standing_memory' });
    expect(reasonSentence(decision, sampleItem({ changes_waiting: true }))).toMatch(/waits for the next refresh$/);
  });

  it('says how much of a message is left when it was trimmed', () => {
    const decision = sampleDecision({
      action: 'trimmed',
      reason: 'oversized_newest',
      tokens_before: 70_025,
      tokens_after: 3_860,
    });
    expect(reasonSentence(decision, sampleItem())).toBe(
      'Trimmed: the newest turn alone is larger than the budget, 70,025 cut to 3,860 tokens',
    );
  });

  it('speaks of many turns as many', () => {
    const decision = sampleDecision({ action: 'dropped', reason: 'covered_by_checkpoint' });
    const range = sampleItem({ sequence: 1, end_sequence: 9_000, count: 9_000 });
    expect(reasonSentence(decision, range)).toBe('Left out: they are covered by a checkpoint summary');
    expect(reasonSentence(decision, sampleItem())).toBe('Left out: it is covered by a checkpoint summary');
  });

  it.each(decisionReasonSchema.options)('exists for %s, in sentence case and without an exclamation mark', (reason) => {
    const sentence = reasonSentence(sampleDecision({ reason }), sampleItem());
    expect(sentence).toMatch(/^Included: [^A-Z].+[^.!]$/);
    expect(sentence).not.toContain('undefined');
    expect(sentence).not.toContain('_');
  });

  it('shows the code of a reason that a newer daemon gives', () => {
    const decision = sampleDecision({ reason: 'below_similarity' as DecisionReason });
    expect(reasonSentence(decision, undefined)).toBe('Included: below similarity');
  });
});
