import { wordsOf, containment } from '../../judge/statement-words.ts';
import type { MemoryKinds } from '../../kinds/memory-kinds.ts';
import type { Candidate } from '../candidate.ts';
import { traitsOf } from '../rules/guards.ts';
import { ownWords } from '../rules/own-words.ts';
import { dayText, localDay, resolveDates } from '../rules/resolve-dates.ts';
import { isChinese, tell, topicPlace } from '../rules/statement-of.ts';
import type { ExtractAction } from './model-answer.ts';

/** A turn as a model was told it. */
export interface SpokenTurn {
  readonly sequence: number;
  readonly role: string;
  /** The user said it. */
  readonly isOwn: boolean;
  readonly text: string;
  /** All of it, for looking up quotes. */
  readonly whole: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly source: string;
}

/** A statement whose words have less to do with its quote was made up (share of the statement's words). */
const leastGrounded = 0.4;

/**
 * What a model noted down, as a candidate; undefined where the user's own words do not say it: no such turn, no such
 * words in it, words that are quoted, asked or supposed, or a statement about something else.
 */
export function candidateOf(
  action: ExtractAction,
  turns: readonly SpokenTurn[],
  kinds: MemoryKinds,
  timeZone: string,
): Candidate | undefined {
  const turn = turns.find(({ sequence, isOwn }) => isOwn && sequence === action.turn);
  const kind = kinds.find(action.action.slice('extract_'.length));
  if (!turn || !kind || !isSaid(action.quote, turn.whole)) return undefined;
  const statement = wordsOf(action.statement);
  if (statement.size === 0 || containment(statement, wordsOf(action.quote)) < leastGrounded) return undefined;
  const language = isChinese(action.statement) ? 'zh' : 'en';
  const said = localDay(turn.at, timeZone);
  const text = resolveDates(tell(action.statement, language), said).text;
  return {
    signal: 'preference',
    kind: kind.name,
    text,
    ...(kind.name === 'preference'
      ? topicPlace(action.topic, language, false)
      : { topic: action.topic.toLowerCase(), title: action.topic, aliases: [] }),
    exclusive: false,
    denies: [],
    retires: false,
    explicit: false,
    sources: [turn.source],
    date: dayText(said),
    language,
    rule: 'model',
  };
}

/** Word for word, in a sentence of the user's own that claims something. */
function isSaid(quote: string, whole: string): boolean {
  const wanted = plain(quote);
  if (wanted.length < 4) return false;
  return ownWords(whole).some(({ text, masked }) => {
    const at = plain(text).indexOf(wanted);
    if (at === -1 && !wanted.includes(plain(text))) return false;
    const traits = traitsOf(masked);
    return (
      !traits.isQuestion &&
      !traits.isReported &&
      !traits.isHypothetical &&
      plain(masked.replaceAll('\u0001', '')) !== '' &&
      isUnmasked(wanted, masked)
    );
  });
}

/** Not inside quotation marks. */
function isUnmasked(wanted: string, masked: string): boolean {
  const visible = plain(masked);
  return visible.includes(wanted) || wanted.includes(visible);
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/^[\s"'“”.,;:!。，；：！-]+|[\s"'“”.,;:!。，；：！-]{1,20}$/gu, '');
}
