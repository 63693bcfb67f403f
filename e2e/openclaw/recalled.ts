import assert from 'node:assert/strict';
import { textOf, type ModelRequest } from './scripted-model.ts';
import type { Suite, Turn } from './suite.ts';

/**
 * A turn whose model is given, by the engine and by nothing else, what it needs to answer: a tool call and its result before
 * what the user says now.
 */
export async function recalled(suite: Suite, name: string, question: string, expected: RegExp): Promise<Turn> {
  const turn = await suite.turn(name, question);
  const request = turn.requests.at(-1);
  assert.ok(request, 'the model was asked');
  if (!suite.host.isCurrent) {
    // These hosts drop calls of tools that the model does not have.
    const said = request.messages.filter(({ role }) => role === 'user').map(textOf);
    const bringing = said.filter((text) => text.includes('<strata-context source="recall"'));
    assert.equal(bringing.length, 1);
    assert.match(bringing[0] ?? '', expected);
    return turn;
  }
  const call = request.messages.findIndex((message) => JSON.stringify(message).includes('memory_recall_auto'));
  const seen = request.messages.map(({ role }) => role).join();
  assert.ok(call > 0, `There is no recall in ${seen}`);
  assert.equal(request.messages[call]?.role, 'assistant');
  assert.equal(request.messages[call + 1]?.role, 'tool');
  assert.equal(request.messages[call + 2]?.role, 'user');
  assert.match(textOf(request.messages[call + 1] ?? { role: 'tool' }), expected);
  const now = request.messages
    .slice(call + 2)
    .map(textOf)
    .join('\n');
  assert.ok(!expected.test(now) && !now.includes('<strata-context'), 'nothing is put before the prompt as well');
  return turn;
}

export function sentText(requests: readonly ModelRequest[]): string {
  return requests.flatMap(({ messages }) => messages.map(textOf)).join('\n');
}
