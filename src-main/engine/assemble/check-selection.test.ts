import { describe, expect, it } from 'vitest';
import type { AssembleInput, Choice } from './assemble-input.ts';
import { checkSelection } from './check-selection.ts';
import { assembleInput, candidate, units } from './testing/candidates.ts';

const summary = candidate('checkpoint:1', { kind: 'summary', tokens: 100, shortTokens: 20 });
const older = candidate('checkpoint:0', { kind: 'summary', tokens: 80 });
const hostSummary = candidate('host:summary', { kind: 'summary', tokens: 60 });

/** What becomes of a strategy that includes these items: `item action tokens`, without what is not sent. */
function sent(input: AssembleInput, included: (item: string) => boolean): string[] {
  const all = [
    ...input.standing,
    ...input.hostSummaries,
    ...input.summaries,
    ...input.units.flatMap((unit) => unit.members),
  ];
  const answer = {
    choices: all.map((one) => ({
      candidate: one,
      action: included(one.item) ? 'included' : 'dropped',
      tokensAfter: 0,
    })),
    slots: [],
  };
  return list(checkSelection(answer, input, 'test').choices);
}

function list(choices: readonly Choice[]): string[] {
  return choices
    .filter((choice) => choice.action !== 'dropped')
    .map((choice) => `${choice.candidate.item} ${choice.action} ${choice.tokensAfter}`);
}

describe('what holds for every strategy', () => {
  it('what takes tokens takes them, whatever the strategy says, and one summary pays for the frame', () => {
    const input = assembleInput({ hostSummaries: [hostSummary], summaries: [summary, older] });
    expect(sent(input, () => true)).toEqual([
      'host:summary included 60',
      'checkpoint:1 included 150',
      'checkpoint:0 included 80',
      '0 included 10',
      '1 included 10',
    ]);
  });

  it('over the budget the oldest turns go first, then the oldest summaries, and the newest turn is cut last', () => {
    const given = { hostSummaries: [hostSummary], summaries: [summary, older], units: units('u100 a100 u100') };
    expect(sent(assembleInput({ ...given, budget: 400 }), () => true)).toEqual([
      'host:summary included 60',
      'checkpoint:1 included 150',
      'checkpoint:0 included 80',
      '2 included 100',
    ]);
    expect(sent(assembleInput({ ...given, budget: 260 }), () => true)).toEqual([
      'checkpoint:1 included 150',
      '2 included 100',
    ]);
    expect(sent(assembleInput({ ...given, budget: 70 }), () => true)).toEqual(['2 trimmed 70']);
    expect(sent(assembleInput({ ...given, budget: 0 }), () => true)).toEqual(['2 trimmed 0']);
  });

  it('a summary stays where nothing else could begin the list', () => {
    const input = assembleInput({ summaries: [summary, older], units: units('a100 a100'), budget: 200 });
    expect(sent(input, () => true)).toEqual(['checkpoint:1 included 150', '1 included 100']);
  });

  it('standing messages are not up to a strategy', () => {
    const standing = [candidate('system', { kind: 'system', tokens: 5 })];
    expect(sent(assembleInput({ standing, units: units('a10 u10') }), () => false)).toEqual([
      'system included 5',
      '1 included 10',
    ]);
  });

  it('a unit is sent whole or not at all, the newest always', () => {
    const pair = (name: string) => ({
      members: [
        candidate(`${name}-call`, { role: 'assistant' }),
        candidate(`${name}-result`, { role: 'tool', toolResultFor: name }),
      ],
      tokens: 20,
      startsWithUser: false,
    });
    const input = assembleInput({ units: [...units('u10'), pair('a'), pair('b')] });
    expect(sent(input, (item) => !item.endsWith('result'))).toEqual([
      '0 included 10',
      'b-call included 10',
      'b-result included 10',
    ]);
  });

  it('the conversation begins with a user message: what is before it goes, or one is put before it', () => {
    const input = assembleInput({ units: units('u10 a10 a10 u10 a10') });
    expect(sent(input, (item) => Number(item) >= 1)).toEqual(['3 included 10', '4 included 10']);
    expect(sent(assembleInput({ units: units('u10 a10 a10') }), (item) => item === '2')).toEqual([
      '0 included 10',
      '2 included 10',
    ]);
  });

  it('what the strategy says nothing of is left out, and what nobody can send stays on record', () => {
    const gone = { candidate: candidate('turns:1-9', { count: 9 }), reason: 'covered_by_checkpoint' as const };
    const input = assembleInput({ summaries: [summary], unavailable: [gone] });
    const { choices } = checkSelection({ choices: [], slots: [] }, input, 'test');
    expect(choices.map((choice) => `${choice.candidate.item} ${choice.action} ${choice.reason}`)).toEqual([
      'checkpoint:1 dropped strategy_choice',
      '0 included anchor_user_turn',
      '1 included newest_turns',
      'turns:1-9 dropped covered_by_checkpoint',
    ]);
    const named = { choices: [{ candidate: gone.candidate, action: 'included' }], slots: [{ kind: 'nonsense' }, null] };
    expect(checkSelection(named, input, 'test')).toMatchObject({ slots: [] });
  });
});
