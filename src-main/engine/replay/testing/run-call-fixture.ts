import type { AssembleTrace } from '../../../../src-shared/model/trace.ts';
import { callFixtureSchema } from '../../../../src-shared/protocol/fixture.ts';
import type { EngineParts } from '../../engine-parts.ts';
import type { StrategiesOfCalls } from '../../assemble/answer-builder.ts';
import { TokenCounter } from '../../tokens/token-counter.ts';
import { noChanges } from '../no-changes.ts';
import { readCallState } from '../call-state.ts';
import { fixtureSource } from '../fixture-source.ts';
import { runAgain } from '../run-again.ts';

/** Runs a fixture that the inspector wrote ("Copy as test"), without the database it came from. */
export async function runCallFixture(
  file: unknown,
  parts: EngineParts,
  strategies: StrategiesOfCalls,
): Promise<{ readonly trace: AssembleTrace; readonly expected: { readonly output_hash: string } }> {
  const fixture = callFixtureSchema.parse(file);
  const source = fixtureSource(fixture);
  const { inputs, expected, turns: _, checkpoints: __, contents: ___, kind: ____, version: _____, ...head } = fixture;
  // What `readCallState` and `runAgain` look at of a trace is all in a fixture.
  const recorded = { ...head, config_hash: '', inputs } as unknown as AssembleTrace;
  const state = await readCallState(recorded, inputs, source, parts.config);
  const counter = new TokenCounter(parts.tokenizer);
  const { trace } = await runAgain(recorded, state, noChanges, { parts, counter, strategies, source });
  return { trace, expected };
}
