import type { Candidate } from '../candidate.ts';
import { headNounChinese } from './head-noun.ts';
import { dayText, resolveDates } from './resolve-dates.ts';
import { trimSpan, type Span } from './span.ts';
import { isChinese, tell, topicPlace, type Circumstances } from './statement-of.ts';
import { familyOf } from './topics.ts';

const pointing =
  /^(?:it|that|this|these|those|them|him|her|everything|something|anything|what (?:I|you|we) (?:said|told|did)|这|那|它|这个|那个|刚才说的?|上面的?)(?:\s|$|[，,。]|的)/i;

const verb =
  / (?:is|are|was|were|has|have|had|uses?|needs?|runs?|lives?|must|should|can|cannot|can't|will|works?|likes?|prefers?|wants?|listens?|starts?|ends?|takes?|costs?|belongs?|contains?|supports?|expires?|depends|goes|does|doesn't|don't|stays?|moved|left|joined)\b/i;

/**
 * A statement in words that no rule knows, because somebody asked for it. Undefined where it cannot be understood by
 * itself.
 * @param isTask something to do, in the words behind "remember to"
 */
export function freeStatement(what: Span, given: Circumstances, isTask: boolean): Candidate | undefined {
  const { language, said } = given;
  const plain = trimSpan(what);
  if (pointing.test(plain.text) || !isEnough(plain.text)) return undefined;
  const clause = isTask ? `To do: ${plain.text}` : plain.text;
  const { text, date } = resolveDates(tell(clause, language), said);
  const isEvent = isTask ? date !== undefined : false;
  const common = {
    signal: 'request',
    text,
    exclusive: false,
    denies: [],
    retires: false,
    explicit: given.explicit,
    sources: given.sources,
    date: dayText(said),
    language,
    rule: `${language}.request`,
  } as const;
  if (isTask && !isEvent) {
    const always = tell(`The user asks the agent to ${plain.text}`, language);
    return { ...common, kind: 'preference', text: always, ...topicPlace(plain.text, language, false) };
  }
  if (isEvent)
    return {
      ...common,
      kind: 'event',
      topic: `event ${date ?? ''} ${text.toLowerCase()}`,
      title: text.replace(/[.。]$/, '').slice(0, 70),
      aliases: [],
    };
  return { ...common, ...placeOf(plain.text, given) };
}

function placeOf(text: string, { language }: Circumstances): Pick<Candidate, 'kind' | 'topic' | 'title' | 'aliases'> {
  if (/^(?:I|I'm|I’m|I've|my|me|我)(?=[\s\p{Script=Han}])/iu.test(text)) {
    const family = familyOf(text);
    if (family) return { kind: 'preference', ...topicPlace(text, language, false) };
    return { kind: 'profile', topic: 'about', title: language === 'zh' ? '简介' : 'About', aliases: [] };
  }
  const subject = subjectOf(text);
  if (subject === '') return { kind: 'entity', ...topicPlace(text, language, false) };
  return {
    kind: 'entity',
    topic: subject.toLowerCase(),
    title: subject.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
    aliases: [],
  };
}

/** "The staging server is at …" is about the staging server. */
function subjectOf(text: string): string {
  if (isChinese(text.slice(0, 12))) {
    const head = /^(.{2,16}?)(?:是|在|有|叫|用|使用|需要|要|必须|位于|为|的地址|的密码|的端口)/u.exec(text)?.[1];
    return head === undefined ? headNounChinese(text) : head.replace(/^(?:我们的?|咱们的?)/u, '');
  }
  const end = verb.exec(text)?.index ?? -1;
  const subject =
    end === -1
      ? ''
      : text
          .slice(0, end)
          .replace(/^(?:the|our|a|an|that|this)\s+/i, '')
          .trim();
  return subject.length <= 60 ? subject : '';
}

/** Two words, or four Chinese characters. */
function isEnough(text: string): boolean {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’._@/-]*/gu) ?? [];
  return isChinese(text) ? (text.match(/[\p{Script=Han}\p{N}a-z]/giu)?.length ?? 0) >= 3 : words.length >= 2;
}
