import { classifySentence, isQuestion } from './classify-sentence.ts';
import { Pacer } from './pacer.ts';
import { splitSentences } from './split-sentences.ts';
import type { SourceTurn } from './summariser.ts';

/**
 * `pending`: nobody answered, or the answer says that it is not done. `finished`: the answer or the user says that it
 * is. `withdrawn`: the user's next words take it back or replace it. `passed`: answered somehow, and the user went on.
 */
export type RequestState = 'pending' | 'finished' | 'withdrawn' | 'passed';

export interface UserRequest {
  readonly sequence: number;
  /** The sentence, whitespace made plain. */
  readonly text: string;
  readonly state: RequestState;
}

const done =
  /\b(?:done|fixed|finished|completed?|implemented|added|merged|deployed|resolved|created|updated|removed|renamed|replaced|released|shipped|installed|works now|all tests pass|is ready)\b|完成|修好|修复了|已修复|搞定|加好|改好|做好|写好|已经?(?:加|改|写|做|删|更新|部署|上线|合并)|好了/i;
const notDone =
  /\b(?:not|n't|never|isn't|haven't|to be)\b[^.!?]{0,20}\b(?:done|fixed|finished|complete|completed|implemented|merged|deployed|resolved|ready)\b|\b(?:not yet|still (?:need|fail|open|miss|to|broken)|couldn't|could not|unable to|failed|fails|failing|blocked|incomplete)\b|还没|尚未|未完成|没有完成|失败|无法|没能|卡住/i;
const underWay = /\b(?:will|I'll|going to|working on|in progress|next)\b|正在|接下来|稍后|马上/i;
const thanks =
  /^(?:thanks|thank you|thx|great|perfect|nice|works|it works|good|lgtm|谢谢|很好|完美|可以了|好了|没问题)/i;
const complaint =
  /^(?:no\b|nope|that(?:'s| is) (?:wrong|not)|still\b|it (?:still|doesn't|does not)|doesn't work|wrong|不对|不行|还是|仍然|没用)/i;
const takenBack =
  /\b(?:never ?mind|forget (?:it|that|about)|cancel (?:that|it)|instead|scrap that|no longer need|leave that|drop that)\b|不用了|算了|取消|不需要了|改成|改为|换成/i;

/** Pastes are long; what somebody wants stands at their beginning or end. */
const sentencesPerEnd = 20;
const requestsPerTurn = 3;

/** What the user asked for in a range, oldest first, and what became of it. By words alone: see {@link RequestState}. */
export async function findRequests(turns: readonly SourceTurn[]): Promise<readonly UserRequest[]> {
  const pacer = new Pacer();
  const userTurns = turns.flatMap((turn, index) => (turn.role === 'user' && turn.text.trim() !== '' ? [index] : []));
  const found: UserRequest[] = [];
  for (const [position, at] of userTurns.entries()) {
    if (pacer.isDue()) await pacer.pause();
    const turn = turns[at];
    const asked = turn ? requestsIn(turn.text) : [];
    if (!turn || asked.length === 0) continue;
    const nextAt = userTurns[position + 1];
    const exchange = {
      answer: lastAnswer(turns.slice(at + 1, nextAt)),
      reply: nextAt === undefined ? undefined : turns[nextAt]?.text,
    };
    for (const text of asked) found.push({ sequence: turn.sequence, text, state: stateOf(text, exchange) });
  }
  return found;
}

function requestsIn(text: string): string[] {
  const sentences = splitSentences(text);
  const looked =
    sentences.length <= 2 * sentencesPerEnd
      ? sentences
      : [...sentences.slice(0, sentencesPerEnd), ...sentences.slice(-sentencesPerEnd)];
  return looked.filter((sentence) => classifySentence(sentence, 'user') === 'requests').slice(-requestsPerTurn);
}

/** What the assistant said last before the user spoke again; a tool call is no answer. */
function lastAnswer(between: readonly SourceTurn[]): string | undefined {
  return between.findLast((turn) => turn.role === 'assistant' && turn.tool === undefined && turn.text.trim() !== '')
    ?.text;
}

interface Exchange {
  readonly answer: string | undefined;
  /** The user's next words. */
  readonly reply: string | undefined;
}

function stateOf(request: string, { answer, reply }: Exchange): RequestState {
  if (reply !== undefined) {
    const words = reply.trimStart().slice(0, 400);
    if (takenBack.test(words)) return 'withdrawn';
    if (complaint.test(words)) return 'pending';
    if (thanks.test(words)) return 'finished';
  }
  if (answer === undefined) return 'pending';
  const verdict = verdictOf(answer);
  if (verdict !== undefined) return verdict;
  if (isQuestion(request) && !/[?？]\s*$/.test(answer)) return 'finished';
  return reply === undefined ? 'pending' : 'passed';
}

/** Whether a sentence says that something is done, and not that it is not. */
export function saysDone(sentence: string): boolean {
  return done.test(sentence) && !notDone.test(sentence) && !underWay.test(sentence);
}

/** The last sentence of the answer that says either. Announcements count only where nothing is said to be done. */
function verdictOf(answer: string): 'pending' | 'finished' | undefined {
  let verdict: 'pending' | 'finished' | undefined;
  for (const sentence of splitSentences(answer.slice(-4_000))) {
    const isDone = done.test(sentence);
    if (notDone.test(sentence) && !(isDone && !/\b(?:but|however|except|not|n't)\b|但|不过|没|未/i.test(sentence)))
      verdict = 'pending';
    else if (isDone) verdict = 'finished';
    else if (verdict === undefined && underWay.test(sentence)) verdict = 'pending';
  }
  return verdict;
}
