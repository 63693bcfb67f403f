import type { Candidate, CandidateLanguage } from '../candidate.ts';
import { chineseRules } from './chinese-rules.ts';
import { clausesOf, withoutLead } from './clauses.ts';
import { correctionIn, isOpening } from './corrections.ts';
import { englishRules } from './english-rules.ts';
import { freeStatement } from './free-statement.ts';
import { announcesText, traitsOf, type SentenceTraits } from './guards.ts';
import { ownWords, type OwnSentence } from './own-words.ts';
import { requestIn } from './requests.ts';
import { localDay } from './resolve-dates.ts';
import type { Rule } from './rule.ts';
import { sliceSpan, trimSpan, type Span } from './span.ts';
import { statementOf, type Circumstances } from './statement-of.ts';

export interface RuleInput {
  /** What the user wrote. */
  readonly text: string;
  /** URIs of the turns that it comes from. */
  readonly sources: readonly string[];
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly timeZone: string;
  /** The agent's message before it: what a correction is about. */
  readonly answer?: { readonly text: string; readonly source: string } | undefined;
  /** Only what is asked for in so many words. */
  readonly requestsOnly?: boolean;
}

/** Candidates of one message; nobody says more that is worth keeping. */
const mostCandidates = 20;

/**
 * What the user's own words in a message give to remember, in their order. Pure: equal input, equal output; the time
 * grows with the length of the text.
 */
export function extractByRules(input: RuleInput): Candidate[] {
  const reader = new MessageReader(input);
  const found: Candidate[] = [];
  for (const candidate of reader.read()) {
    const same = found.findIndex(({ text, signal }) => text === candidate.text && signal === candidate.signal);
    if (same === -1) found.push(candidate);
    // "I am allergic to nuts. Remember that." says it twice, and asks for it once.
    else if (candidate.explicit) found[same] = candidate;
    if (found.length === mostCandidates) break;
  }
  return found;
}

class MessageReader {
  readonly #input: RuleInput;
  readonly #sentences: readonly OwnSentence[];
  readonly #said: Circumstances['said'];

  constructor(input: RuleInput) {
    this.#input = input;
    this.#sentences = ownWords(input.text);
    this.#said = localDay(input.at, input.timeZone);
  }

  *read(): Generator<Candidate> {
    let isOpened = false;
    /** Paragraph up to whose end everything was asked to be kept. */
    let keeping: number | undefined;
    for (const [index, sentence] of this.#sentences.entries()) {
      const language = languageOf(sentence.masked);
      const request = requestIn(sentence, language);
      if (announcesText(sentence.masked) && request?.kind !== 'remember') return;
      if (keeping !== undefined && sentence.paragraph > keeping + (sentence.listed ? 1 : 0)) keeping = undefined;
      if (request?.points === 'after') keeping = sentence.paragraph;
      else if (request?.points === 'before') yield* this.#kept(this.#sentences[index - 1]);
      else if (request?.kind === 'forget') yield* this.#forgotten(request.what, language);
      else if (request) yield* this.#requested(request.what, request.isTask);
      else if (keeping !== undefined) yield* this.#requested(sentence, false);
      else if (!(this.#input.requestsOnly ?? false)) yield* this.#stated(sentence, language, isOpened);
      isOpened = isOpening(sentence.masked, language);
    }
  }

  *#kept(sentence: OwnSentence | undefined): Generator<Candidate> {
    if (sentence && !requestIn(sentence, languageOf(sentence.masked))) yield* this.#requested(sentence, false);
  }

  *#requested(what: Span, isTask: boolean): Generator<Candidate> {
    const language = languageOf(what.masked === '' ? what.text : visible(what));
    const plain = withoutLead(unquoted(what), language);
    if (isTask) {
      yield* one(freeStatement(sliceSpan(plain, 3), this.#given(language, true), true));
      return;
    }
    const clauses = clausesOf(plain, language).map((clause) => withoutLead(clause, language));
    const known = clauses.map((clause) => this.#byRule(clause, language, true, traitsOf(clause.masked)));
    // A piece that no rule knows may make no sense without the others.
    if (known.every((candidate) => candidate !== undefined)) yield* known;
    else if (!startsQuoted(plain)) yield* one(freeStatement(plain, this.#given(language, true), false));
  }

  *#forgotten(what: Span, language: CandidateLanguage): Generator<Candidate> {
    const statement = freeStatement(withoutLead(what, language), this.#given(language, true), false);
    if (statement) yield { ...statement, signal: 'forget', retires: true, rule: `${language}.forget` };
  }

  *#stated(sentence: Span, language: CandidateLanguage, isOpened: boolean): Generator<Candidate> {
    const traits = traitsOf(sentence.masked);
    if (traits.isQuestion || traits.isDoubtful) return;
    if (traits.isReported) {
      yield* one(this.#byRule(withoutLead(sentence, language), language, false, traits));
      return;
    }
    const { answer } = this.#input;
    const correction = traits.isHypothetical
      ? undefined
      : correctionIn(trimSpan(sentence), language, answer?.text, isOpened);
    if (correction) {
      const given = this.#given(language, false);
      const known = this.#byRule(withoutLead(correction.rest, language), language, false, traits);
      const denies = correction.denies === undefined ? [] : [correction.denies];
      const sources = answer === undefined ? given.sources : [...given.sources, answer.source];
      if (known) yield { ...known, denies: [...known.denies, ...denies] };
      else if (correction.text !== undefined) {
        const span = { text: correction.text, masked: correction.text };
        const free = freeStatement(span, { ...given, sources }, false);
        if (free) yield { ...free, signal: 'correction', exclusive: true, denies, rule: `${language}.correction` };
      }
      return;
    }
    for (const clause of clausesOf(sentence, language)) {
      yield* one(this.#byRule(withoutLead(clause, language), language, false, traits));
    }
  }

  #byRule(clause: Span, language: CandidateLanguage, explicit: boolean, traits: SentenceTraits): Candidate | undefined {
    for (const rule of language === 'zh' ? chineseRules : englishRules) {
      if (!mayApply(rule, traits, explicit)) continue;
      const match = rule.pattern.exec(clause.masked);
      const what = match?.groups?.['what'];
      if (!match || (what !== undefined && isUnclear(what, rule))) continue;
      const candidate = statementOf(clause, rule, match, this.#given(language, explicit));
      if (candidate) return candidate;
    }
    return undefined;
  }

  #given(language: CandidateLanguage, explicit: boolean): Circumstances {
    return { sources: this.#input.sources, said: this.#said, language, explicit };
  }
}

function mayApply(rule: Rule, traits: SentenceTraits, explicit: boolean): boolean {
  const { isHypothetical, isCondition, isQuestion, isDoubtful, isReported } = traits;
  if (isQuestion || isDoubtful) return false;
  if (isReported && !explicit && rule.reports !== true) return false;
  return !isHypothetical || (isCondition && rule.conditional === true);
}

/** Nothing but quoted words, or words that point at something else. */
function isUnclear(what: string, rule: Rule): boolean {
  const said = what.replaceAll('\u0001', '').trim();
  if (said === '' && rule.kind !== 'profile' && rule.signal !== 'decision') return true;
  return rule.unless?.test(what.trim()) ?? false;
}

/** By what is not quoted. */
function languageOf(masked: string): CandidateLanguage {
  const han = masked.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = masked.match(/[a-z]{2,}/gi)?.length ?? 0;
  return han > 0 && han >= words ? 'zh' : 'en';
}

function visible({ text, masked }: Span): string {
  return masked.includes('\u0001') && !/[\p{L}]/u.test(masked) ? text : masked;
}

/** "Remember: “…”": what is quoted is what is meant. */
function unquoted(span: Span): Span {
  const { text, masked } = trimSpan(span);
  if (/[\p{L}\p{N}]/u.test(masked) || text.length < 3) return { text, masked };
  const inner = text.slice(1, -1);
  return { text: inner, masked: inner };
}

/** A sentence about somebody's words is none of the user's own. */
function startsQuoted({ masked }: Span): boolean {
  return masked.startsWith('\u0001');
}

function* one(candidate: Candidate | undefined): Generator<Candidate> {
  if (candidate) yield candidate;
}
