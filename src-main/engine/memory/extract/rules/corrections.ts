import type { CandidateLanguage } from '../candidate.ts';
import { splitSentences } from '../../../compact/split-sentences.ts';
import { groupSpan, groupText, trimSpan, type Span } from './span.ts';

/** What a correction puts right. */
export interface Correction {
  /** A clause of its own that the other rules may know. */
  readonly rest: Span;
  /** The statement that holds now, where it could be worked out. */
  readonly text: string | undefined;
  /** What holds no longer. */
  readonly denies: string | undefined;
  /** The words that were put right are the agent's. */
  readonly ofAnswer: boolean;
}

const english = {
  opening:
    /^(?:no+|nope|wrong|incorrect|not quite|correction|(?:sorry|actually)(?=,)|that(?:'s|’s| is| was) (?:wrong|not right|incorrect|not correct|not true|false|not it)|you(?:'re|’re| are| were)? (?:got (?:it|that) )?(?:wrong|mistaken)|I never said that)\b[\s,.:;!—–-]*(?:but |because |sorry,? )?(?<rest>.*)$/di,
  notOld: /^(?<rest>.{3,}?),? (?:and |but )?not (?<old>[^,;]{1,100})$/di,
  itIs: /^(?:it|that|this|they|the (?:answer|value|right one|correct (?:one|value|answer)))(?:'s|’s| is| are| was| should (?:be|have been)| must be) (?:actually |really )?(?<neu>(?!not\b).{1,120}?)$/di,
  notBut:
    /^(?:it|that|this)(?:'s|’s| is| was)(?: not|n't) (?<old>[^,;]{1,100})[,;—–-]+ ?(?:it(?:'s|’s| is| was)|but) (?<neu>.{1,120})$/di,
  meant: /^I (?:meant|said) (?<neu>[^,;]{1,100}),? not (?<old>.{1,100})$/di,
  declares:
    /^(?:the|our|my|we|its|[\p{Lu}`\u0001][^\s]*)\b.{0,120}? (?:is|are|was|were|uses?|has|have|runs?|needs?|should be|lives?|listens?|works?|starts?|ends?|takes?|costs?|belongs?|must|can|cannot)\b.{1,200}$/du,
} as const;

const chinese = {
  opening:
    /^(?:不对|不是的?(?=[，,。！!])|错了?(?=[，,。！!：:])|不(?=[，,])|你?(?:说|搞|记|弄|理解|写)错了|更正(?:一下)?|纠正(?:一下)?|有误)[\s，,。：:！!；;]*(?:那个)?(?<rest>.*)$/du,
  notOld: /^(?<rest>.{2,}?)[，,](?:而|并)?(?:不是|并非)(?<old>[^，,；;]{1,40})$/du,
  itIs: /^(?:它|这个?|那个?|正确的)?(?:应该|应当|其实|实际上)?(?:是|为|叫)(?<neu>[^，,；;]{1,60})$/du,
  notBut: /^(?:它|这个?|那个?)?(?:并)?不是(?<old>[^，,；;]{1,40})[，,；;](?:而是|应该是|是)(?<neu>.{1,60})$/du,
  meant: /^我(?:说的|指的|要的)(?:是)(?<neu>[^，,；;]{1,40})[，,]不是(?<old>.{1,40})$/du,
  declares: /^.{2,40}?(?:应该|是|在|用|叫|有|为|采用|使用).{1,80}$/du,
} as const;

export function isOpening(masked: string, language: CandidateLanguage): boolean {
  const { opening } = language === 'zh' ? chinese : english;
  const match = opening.exec(masked);
  return match !== null && !/[\p{L}\p{N}]/u.test(match.groups?.['rest'] ?? '');
}

/**
 * Reads "No, it's X, not Y" and its kin. Where the sentence does not say what X is, the agent's sentence that said Y
 * does: Y in it becomes X.
 * @param isOpened the sentence before it was nothing but "No."
 */
export function correctionIn(
  sentence: Span,
  language: CandidateLanguage,
  before: string | undefined,
  isOpened: boolean,
): Correction | undefined {
  const patterns = language === 'zh' ? chinese : english;
  const opening = patterns.opening.exec(sentence.masked);
  const opened = isOpened || opening !== null;
  const rest = trimSpan((opening && groupSpan(sentence, opening, 'rest')) ?? sentence);
  if (rest.text === '') return undefined;
  for (const pattern of [patterns.notBut, patterns.meant]) {
    const match = pattern.exec(rest.masked);
    if (match) return replaced(rest, groupText(rest, match, 'neu'), groupText(rest, match, 'old'), before, opened);
  }
  const contrast = patterns.notOld.exec(rest.masked);
  const claim = trimSpan((contrast && groupSpan(rest, contrast, 'rest')) ?? rest);
  const old = contrast === null ? undefined : groupText(rest, contrast, 'old');
  const bare = patterns.itIs.exec(claim.masked);
  if (bare) return replaced(claim, groupText(claim, bare, 'neu'), old, before, opened);
  if (!opened) return undefined;
  const declares = patterns.declares.test(claim.masked);
  return { rest: claim, text: declares ? claim.text : undefined, denies: old, ofAnswer: true };
}

function replaced(
  rest: Span,
  neu: string | undefined,
  old: string | undefined,
  before: string | undefined,
  opened: boolean,
): Correction | undefined {
  if (neu === undefined || before === undefined || (!opened && old === undefined)) return undefined;
  const value = stripArticle(neu);
  const sentences = splitSentences(before.slice(0, 20_000)).filter(({ length }) => length <= 300);
  if (old !== undefined) {
    const gone = stripArticle(old);
    const said = sentences.find((sentence) => indexOfWord(sentence, gone) !== -1);
    if (said === undefined) return undefined;
    return { rest, text: putIn(said, indexOfWord(said, gone), gone.length, value), denies: gone, ofAnswer: true };
  }
  const spot = likeValue(sentences, value);
  return (
    spot && {
      rest,
      text: putIn(spot.sentence, spot.index, spot.length, value),
      denies: spot.sentence.slice(spot.index, spot.index + spot.length),
      ofAnswer: true,
    }
  );
}

const classes: readonly RegExp[] = [
  /\b\d{4}-\d\d-\d\d\b/g,
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:周|星期)[一二三四五六日天]/gi,
  /\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b/gi,
  /(?<![a-z0-9_])\d[\d.,:]*(?![a-z0-9_])/gi,
];

/** The only thing of the same sort that the agent named: a number for a number, a weekday for a weekday. */
function likeValue(sentences: readonly string[], value: string) {
  const sort = classes.find(
    (pattern) => value.match(pattern)?.length === 1 && value.replace(pattern, '').trim() === '',
  );
  if (!sort) return undefined;
  const found = sentences.flatMap((sentence) =>
    [...sentence.matchAll(sort)].map((match) => ({ sentence, index: match.index, length: match[0].length })),
  );
  return found.length === 1 ? found[0] : undefined;
}

function putIn(sentence: string, index: number, length: number, value: string): string {
  return (sentence.slice(0, index) + value + sentence.slice(index + length)).replace(
    /^(?:[-*•]\s+|\d{1,2}[.)]\s+)/,
    '',
  );
}

/** As a word of its own: 80 is not in 8080. */
function indexOfWord(sentence: string, word: string): number {
  const lower = sentence.toLowerCase();
  const wanted = word.toLowerCase();
  if (wanted === '') return -1;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + 1)) {
    const isWhole =
      !isLetter(lower.charAt(at - 1), wanted.charAt(0)) &&
      !isLetter(lower.charAt(at + wanted.length), wanted.at(-1) ?? '');
    if (isWhole) return at;
  }
  return -1;
}

function isLetter(neighbour: string, edge: string): boolean {
  return /[a-z0-9_]/i.test(neighbour) && /[a-z0-9_]/i.test(edge);
}

function stripArticle(text: string): string {
  return text
    .trim()
    .replace(/^(?:the|an?|at|on|in|port(?= \d)) /i, '')
    .replace(/[.!。！]+$/, '');
}
