import { sliceSpan, trimSpan, type Span } from './span.ts';
import type { CandidateLanguage } from '../candidate.ts';

const englishLead =
  /^(?:(?:well|ok|okay|so|and|but|also|oh|yes|yeah|yep|hi|hello|hey|thanks|thank you|great|cool|right|sure|btw|by the way|fyi|for (?:the record|your information|context)|just (?:so you know|fyi|to let you know|a note)|actually|honestly|frankly|personally|in general|generally|generally speaking|overall|in fact|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|then|plus|anyway|anyhow|p\.?s\.?|note|note that|as you know|you know|you should know(?: that)?|i should mention(?: that)?|i forgot to (?:say|mention)(?: that)?|one more thing|another thing|because|since|important|reminder|preference|fact|after (?:some|a long|much|a lot of) (?:\w+ )?discussion|in the end|in the meeting|at the meeting|(?:today|yesterday|this (?:morning|week)),? in the \w+)(?:[\s,.:;!—–-]+|$))/i;
const chineseLead =
  /^(?:嗯+|好的?(?=[，,。！])|对了|对(?=[，,])|顺便(?:说一下|提一下|说)?|另外|还有(?=[，,])|其实(?=[，,我])|说实话|老实说|你好|您好|嗨|哈喽|那么|首先|其次|最后(?=[，,])|而且|并且|因为|所以|总之|谢谢|忘了(?:告诉你|说)(?:了)?|补充一下|说明一下|提醒一下|事实上|一般来说|个人来说|对我来说|重要|注意|开会(?:时|后)|经过(?:讨论|商量|考虑)|讨论(?:后|之后|过后))[，,。：:！!；;\s]*/u;

/** Without what leads up to a statement ("By the way, …"); a bounded number of times. */
export function withoutLead(span: Span, language: CandidateLanguage): Span {
  const pattern = language === 'zh' ? chineseLead : englishLead;
  let rest = trimSpan(span);
  for (let round = 0; round < 4; round += 1) {
    const length = pattern.exec(rest.masked)?.[0].length ?? 0;
    // "Actually" by itself says nothing, and a clause that is nothing but a lead-in is left as it is.
    if (length === 0 || length >= rest.masked.length) return rest;
    rest = trimSpan(sliceSpan(rest, length));
  }
  return rest;
}

const englishBreak =
  /(?:[,;]? (?:and|but) (?=(?:I|I'm|I’m|I've|we|my|our|always|never|please|don't|call me)\b)|; |, (?=(?:I|I'm|I’m|I've|we've|my|our)\b))/gi;
const chineseBreak =
  /[，,；;](?=(?:我|咱|以后|从现在|今后|请|绝不|永远|千万|不要|别|并且|而且|住在|在(?=[^，,]{2,12}(?:工作|上班))|喜欢|不喜欢|讨厌|今年|来自))/gu;

/** Statements that one sentence makes, each with a subject of its own. */
export function clausesOf(sentence: Span, language: CandidateLanguage): Span[] {
  const clauses: Span[] = [];
  let from = 0;
  for (const match of sentence.masked.matchAll(language === 'zh' ? chineseBreak : englishBreak)) {
    // "From now on, always …" and "When I ask, I want …" are one.
    if (
      /^(?:from now on|going forward|when|whenever|if|every time|by default|以后|从现在|今后|如果|每次)/i.test(
        sentence.masked.slice(from, match.index),
      )
    )
      continue;
    clauses.push(sliceSpan(sentence, from, match.index));
    from = match.index + match[0].length;
  }
  clauses.push(sliceSpan(sentence, from));
  const own = clauses.map(trimSpan).filter(({ text }) => text !== '');
  return language === 'zh' ? withSubject(own) : own;
}

/** "我叫小明，住在上海": the second one is about the same person. */
function withSubject(clauses: readonly Span[]): Span[] {
  const first = clauses[0]?.masked ?? '';
  return clauses.map((clause, index) => {
    const isBare =
      index > 0 && first.startsWith('我') && /^(?:住在|在|喜欢|不喜欢|讨厌|今年|来自)/u.test(clause.masked);
    return isBare ? { text: `我${clause.text}`, masked: `我${clause.masked}` } : clause;
  });
}
