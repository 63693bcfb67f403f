import type { Candidate, CandidateLanguage, CandidateSignal } from '../candidate.ts';
import { headNoun, headNounChinese } from './head-noun.ts';
import { dayText, resolveDates, type LocalDay } from './resolve-dates.ts';
import type { Rule } from './rule.ts';
import { groupText, type Span } from './span.ts';
import { toThirdPerson, toThirdPersonChinese } from './third-person.ts';
import { familyOf } from './topics.ts';

export interface Circumstances {
  readonly sources: readonly string[];
  readonly said: LocalDay;
  readonly language: CandidateLanguage;
  readonly explicit: boolean;
}

/** Signals whose statements are about days rather than about habits ("never deploy on Friday" is one). */
const dated: ReadonlySet<CandidateSignal> = new Set([
  'event',
  'decision',
  'identity',
  'request',
  'entity',
  'correction',
]);

const contrast =
  /(?:,? (?:and )?not |\b(?:instead of|rather than|in place of|over) |[，,]?(?:而不是|不是|代替|取代))(?<old>[^,，;；]{1,80}?)(?=$|[,，;；.。]|\s(?:for|in|on|at|when|while|to|because)\s)/iu;

/** A candidate out of a clause and the rule that fits it; undefined where it needs a date and has none. */
export function statementOf(
  clause: Span,
  rule: Rule,
  match: RegExpExecArray,
  given: Circumstances,
): Candidate | undefined {
  const { language, said } = given;
  const what = groupText(clause, match, 'what') ?? '';
  const groups = (name: string): string => (name === 'clause' ? clause.text : (groupText(clause, match, name) ?? ''));
  const told = tell(
    rule.says === undefined ? clause.text : rule.says.replace(/\{(\w+)\}/g, (_, name: string) => groups(name)),
    language,
  );
  const resolved = dated.has(rule.signal)
    ? resolveDates(told, said, rule.signal === 'identity')
    : { text: told, date: undefined };
  const { date } = resolved;
  const text = rule.keepsWeekday === true ? withWeekday(resolved.text, told) : resolved.text;
  if (
    rule.needsDate === true &&
    (date === undefined ||
      /\b(?:today|tonight|this (?:morning|afternoon|evening))\b|今天|今晚|今日/i.test(clause.masked))
  )
    return undefined;
  const old = groupText(clause, match, rule.denies ?? 'old') ?? contrast.exec(clause.text)?.groups?.['old'];
  const about = rule.topic?.replace(/\{(\w+)\}/g, (_, name: string) => groups(name));
  const place = placeOf(rule, about, what, text, date, given);
  return {
    ...place,
    signal: rule.signal,
    kind: rule.kind,
    text,
    exclusive: rule.exclusive ?? false,
    denies: old === undefined ? [] : [old.trim()],
    retires: rule.retires ?? false,
    explicit: given.explicit,
    sources: given.sources,
    date: dayText(said),
    language,
    rule: rule.id,
  };
}

const weekday = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i;

/** What is found later is asked for by either: "by Friday, 2026-11-06". */
function withWeekday(text: string, told: string): string {
  const [day] = weekday.exec(told) ?? [];
  if (day === undefined || weekday.test(text)) return text;
  return text.replace(/(?<!\d)\d{4}-\d\d-\d\d(?!\d)/, (date) => {
    const name = new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' });
    return name.toLowerCase() === day.toLowerCase() ? `${name}, ${date}` : date;
  });
}

type Place = Pick<Candidate, 'topic' | 'title' | 'aliases'>;

/** Which page a statement belongs to. */
function placeOf(
  rule: Rule,
  about: string | undefined,
  what: string,
  text: string,
  date: string | undefined,
  { language, said }: Circumstances,
): Place {
  if (rule.title && about !== undefined) return { topic: about, title: rule.title[language], aliases: [] };
  if (rule.kind === 'entity') return { topic: fold(about ?? what), title: cut(about ?? what), aliases: [] };
  if (rule.signal === 'event') {
    const title = `${cut(text.replace(/[.。]$/, ''), 70)}`;
    return { topic: `event ${date ?? dayText(said)} ${fold(title)}`, title, aliases: [] };
  }
  return topicPlace(about ?? what, language, rule.signal === 'decision');
}

/** By the family of the words, else by what they are about. */
export function topicPlace(what: string, language: CandidateLanguage, isDecision: boolean): Place {
  const family = familyOf(what);
  const noun = family?.key ?? (isChinese(what) ? headNounChinese(what) : headNoun(what));
  const topic = noun === '' ? fold(what).slice(0, 60) : noun;
  const title = family?.title[language] ?? capitalise(topic);
  if (!isDecision) return { topic, title, aliases: family ? [family.title[language === 'en' ? 'zh' : 'en']] : [] };
  return {
    topic: `decision ${topic}`,
    title: language === 'zh' ? `决定：${title}` : `Decision: ${title}`,
    aliases: [],
  };
}

/** One sentence with an end, told of the user. */
export function tell(clause: string, language: CandidateLanguage): string {
  const plain = clause
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[\s,，;；:：]+$/u, '');
  const told = language === 'zh' ? toThirdPersonChinese(plain) : toThirdPerson(plain);
  if (/[.!?。！？]$/.test(told)) return told;
  return told + (isChinese(told.slice(-2)) || language === 'zh' ? '。' : '.');
}

export function isChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

function cut(text: string, length = 100): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed().trimEnd()}…`;
}

function capitalise(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
