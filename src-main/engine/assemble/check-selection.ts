import { decisionActionSchema, decisionReasonSchema, segmentKindSchema } from '../../../src-shared/model/trace.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { isRecord } from '../messages/read-fields.ts';
import type { AssembleInput, Choice, Selection } from './assemble-input.ts';
import type { Candidate } from './candidate.ts';
import { completeSelection } from './complete-selection.ts';

/**
 * Takes a strategy's answer, also one loaded from a path, for what it may be: decisions about what was offered, each
 * candidate at most once. What holds for every list is then seen to by `completeSelection`.
 * @throws EngineError `strategy_failed` when the answer is something else.
 */
export function checkSelection(answer: unknown, input: AssembleInput, strategy: string): Selection {
  if (!isRecord(answer) || !Array.isArray(answer['choices']) || !Array.isArray(answer['slots'])) {
    throw failed(strategy, 'must return {choices, slots}');
  }
  const offered = candidatesOf(input);
  const summaries = new Set<Candidate>(input.summaries);
  const recalled = new Set<Candidate>(input.recalled);
  const decided = new Map<string, Choice>();
  let frame = input.summaryFrameTokens;
  let recalledFrame = input.recalledFrameTokens;
  for (const given of answer['choices'] as readonly unknown[]) {
    const choice = readChoice(given, offered, strategy);
    if (!choice) continue;
    const { item } = choice.candidate;
    if (decided.has(item)) throw failed(strategy, `decided twice about ${item}`);
    const isSummary = summaries.has(choice.candidate);
    const isRecalled = recalled.has(choice.candidate);
    const around = isSummary ? frame : isRecalled ? recalledFrame : 0;
    decided.set(item, { ...choice, tokensAfter: tokensAfter(choice, around, isSummary || isRecalled) });
    if (choice.action === 'dropped') continue;
    if (isSummary) frame = 0;
    if (isRecalled) recalledFrame = 0;
  }
  // Only what this engine reads of it; what a slot asked for and used is counted in the end.
  const slots = (answer['slots'] as readonly unknown[]).filter(isSlot);
  return { choices: completeSelection(decided, input), slots };
}

function candidatesOf(input: AssembleInput): ReadonlyMap<string, Candidate | undefined> {
  const offered = new Map<string, Candidate | undefined>();
  for (const list of [input.standing, input.hostSummaries, input.summaries, input.recalled]) {
    for (const candidate of list) offered.set(candidate.item, candidate);
  }
  for (const unit of input.units) for (const member of unit.members) offered.set(member.item, member);
  // Nothing is decided about these; a strategy that names them is not wrong.
  for (const { candidate } of input.unavailable) offered.set(candidate.item, undefined);
  return offered;
}

/** The choice about the very candidate that was offered: a strategy's copy of it may say anything. */
function readChoice(
  given: unknown,
  offered: ReadonlyMap<string, Candidate | undefined>,
  strategy: string,
): Choice | undefined {
  const item = isRecord(given) && isRecord(given['candidate']) ? given['candidate']['item'] : undefined;
  if (!isRecord(given) || typeof item !== 'string' || !offered.has(item)) {
    throw failed(strategy, `chose ${String(item).slice(0, 200)}, which was not offered`);
  }
  const candidate = offered.get(item);
  if (!candidate) return undefined;
  const { action, tokensAfter: tokens, reason, scores, threshold } = given;
  if (!actions.has(action)) throw failed(strategy, `decided ${String(action).slice(0, 50)} about ${item}`);
  if (action === 'trimmed' && !(typeof tokens === 'number' && tokens >= 0)) {
    throw failed(strategy, `trims ${item} without saying to how many tokens`);
  }
  return {
    candidate,
    action: action as Choice['action'],
    reason: reasons.has(reason) ? (reason as Choice['reason']) : 'strategy_choice',
    tokensAfter: Math.floor(Number(tokens) || 0),
    ...(isRecord(scores) ? { scores: numbersOf(scores) } : {}),
    ...(typeof threshold === 'number' && Number.isFinite(threshold) ? { threshold } : {}),
  };
}

const actions: ReadonlySet<unknown> = new Set(decisionActionSchema.options);
const reasons: ReadonlySet<unknown> = new Set(decisionReasonSchema.options);

/** What is sent takes what it takes, whatever a strategy says; the frame goes to the first summary that is sent. */
function tokensAfter({ action, candidate, tokensAfter: limit }: Choice, frame: number, isWhole: boolean): number {
  if (action === 'dropped') return 0;
  if (action === 'included') return candidate.tokens + frame;
  return isWhole ? (candidate.shortTokens ?? candidate.tokens) + frame : Math.min(limit, candidate.tokens);
}

function numbersOf(scores: Readonly<Record<string, unknown>>): Record<string, number> {
  const numbers = Object.entries(scores).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]),
  );
  return Object.fromEntries(numbers);
}

function isSlot(slot: unknown): slot is Selection['slots'][number] {
  return (
    isRecord(slot) &&
    typeof slot['rule'] === 'string' &&
    typeof slot['allotted'] === 'number' &&
    Number.isFinite(slot['allotted']) &&
    segmentKinds.has(slot['kind'])
  );
}

const segmentKinds: ReadonlySet<unknown> = new Set(segmentKindSchema.options);

function failed(strategy: string, what: string): EngineError {
  return new EngineError('strategy_failed', `The strategy ${strategy} ${what}.`);
}
