import type { Candidate } from '../extract/candidate.ts';
import { familyOf, opposites, type TopicFamily } from '../extract/rules/topics.ts';
import type { StatementLine } from './page-lines.ts';
import { containment, readStatement, similarity, wordsOf, type StatementReading } from './statement-words.ts';

/** Where the line stands, as seen from the candidate. */
export type LineNearness = 'same_topic' | 'elsewhere';

/** Less in common than this is another matter (Dice). */
const sameMatter = 0.75;

/**
 * Whether a line cannot hold any longer once the candidate does. Careful: what is not known to exclude each other stands
 * side by side.
 */
export function contradicts(candidate: Candidate, line: StatementLine, nearness: LineNearness): boolean {
  const told = readStatement(candidate.text);
  const known = readStatement(line.text);
  if (isDenied(candidate, line.text, told)) return true;
  if (told.isNegative !== known.isNegative && similarity(told.words, known.words) >= sameMatter)
    return !hasOtherValues(told, known);
  if (nearness === 'elsewhere') return false;
  if (candidate.exclusive && isLabelled(candidate, line)) return true;
  if (told.isNegative !== known.isNegative) return false;
  return (
    hasRivals(candidate, line.text) ||
    hasOpposites(candidate.text, line.text) ||
    isSameAttribute(candidate, line.text) ||
    differsInValueOnly(told, known, candidate)
  );
}

/** "not Y", "from Y": a line that says Y, and does not say what holds instead. */
function isDenied({ denies, retires, text }: Candidate, line: string, told: StatementReading): boolean {
  if (retires) return false;
  const words = wordsOf(line);
  return denies.some((phrase) => {
    const denied = wordsOf(phrase);
    const fresh = [...told.words].filter((word) => !denied.has(word) && !words.has(word));
    return (
      denied.size > 0 &&
      containment(denied, words) === 1 &&
      (fresh.length > 0 || valuesDiffer(text, line)) &&
      sharesMatter(told, words, denied)
    );
  });
}

/** A line about something else that happens to have the word in it is left alone. */
function sharesMatter(told: StatementReading, line: ReadonlySet<string>, denied: ReadonlySet<string>): boolean {
  const rest = new Set([...line].filter((word) => !denied.has(word)));
  return rest.size === 0 || [...rest].some((word) => told.words.has(word)) || rest.size <= 1;
}

function isLabelled({ title, aliases }: Candidate, { label }: StatementLine): boolean {
  return label !== undefined && [title, ...aliases].some((name) => name.toLowerCase() === label.toLowerCase());
}

/** Things of one family of which one is in the place of the other: two editors, two themes. */
function hasRivals(candidate: Candidate, line: string): boolean {
  const family = familyOf(candidate.text);
  if (!candidate.exclusive || family === undefined || familyOf(line)?.key !== family.key) return false;
  const mine = membersIn(family, withoutContrast(candidate.text));
  const theirs = membersIn(family, withoutContrast(line));
  const areApart = mine.length > 0 && theirs.length > 0 && !mine.some((member) => theirs.includes(member));
  if (!areApart) return false;
  const [here, there] = [contextOf(candidate.text), contextOf(line)];
  if (candidate.signal === 'decision') return here.size === 0 || there.size === 0 || similarity(here, there) > 0;
  return here.size + there.size === 0 || similarity(here, there) >= sameMatter;
}

function membersIn(family: TopicFamily, text: string): number[] {
  return family.members.flatMap((member, index) => (member.test(text) ? [index] : []));
}

function withoutContrast(text: string): string {
  return text.replace(
    /(?:,? (?:and )?not |\b(?:instead of|rather than|over|from) |[，,]?(?:而不是|不是|代替|取代|从))[^,，;；。.]{1,60}?(?=$|[,，;；。.]| for | in | on | to |换|改)/giu,
    ' ',
  );
}

/** Where or for what: "for Python", "on the phone". */
function contextOf(text: string): ReadonlySet<string> {
  const parts = text.match(/\b(?:for|in|on|at|when|while|during) [^,.;]{1,80}/gi) ?? [];
  const chinese = text.match(/(?:在|写|对于|关于).{1,12}?(?=时|里|上|中|用|的时候)/gu) ?? [];
  return wordsOf([...parts, ...chinese].join(' '));
}

/** The same thing, wanted the other way. */
function hasOpposites(text: string, line: string): boolean {
  return opposites.some(([one, other]) => {
    const isTurned =
      (one.test(text) && !other.test(text) && other.test(line) && !one.test(line)) ||
      (other.test(text) && !one.test(text) && one.test(line) && !other.test(line));
    if (!isTurned) return false;
    const strip = (from: string): ReadonlySet<string> => wordsOf(from.replace(one, ' ').replace(other, ' '));
    return similarity(strip(text), strip(line)) >= sameMatter;
  });
}

const attribute =
  /^(?<subject>.{3,80}?) (?:is|are|was) (?<preposition>(?:at|in|on|called|named|from) )?(?<object>.{1,200})$/i;
const chineseAttribute = /^(?<subject>.{2,40}?)(?<preposition>在|叫|是|为)(?<object>.{1,80})$/u;

/** "X is A" and "X is B", where X can be but one of them: what somebody has one of, or a value that was corrected. */
function isSameAttribute(candidate: Candidate, line: string): boolean {
  const pattern = candidate.language === 'zh' ? chineseAttribute : attribute;
  const [mine, theirs] = [pattern.exec(plain(candidate.text)), pattern.exec(plain(line))];
  if (!mine?.groups || !theirs?.groups) return false;
  const subject = mine.groups['subject']?.toLowerCase();
  if (subject !== theirs.groups['subject']?.toLowerCase()) return false;
  if (mine.groups['preposition']?.toLowerCase() !== theirs.groups['preposition']?.toLowerCase()) return false;
  if (mine.groups['object']?.toLowerCase() === theirs.groups['object']?.toLowerCase()) return false;
  const isOne = /^the user's favou?rite|^用户最喜欢的|^the user's (?!friend|colleague|child|kid|brother|sister)/i.test(
    subject ?? '',
  );
  return (
    candidate.signal === 'correction' ||
    isOne ||
    (mine.groups['preposition'] !== undefined && candidate.language === 'en')
  );
}

/** The same words but for a number or a date. */
function differsInValueOnly(told: StatementReading, known: StatementReading, { signal }: Candidate): boolean {
  if (signal === 'event' || told.values.length === 0 || told.values.length !== known.values.length) return false;
  if (told.values.join(' ') === known.values.join(' ')) return false;
  const rest = (reading: StatementReading): ReadonlySet<string> =>
    new Set([...reading.words].filter((word) => !/\d/.test(word)));
  return rest(told).size >= 2 && similarity(rest(told), rest(known)) >= 0.9;
}

function hasOtherValues(told: StatementReading, known: StatementReading): boolean {
  return told.values.length > 0 && known.values.length > 0 && told.values.join(' ') !== known.values.join(' ');
}

function valuesDiffer(text: string, line: string): boolean {
  return readStatement(text).values.join(' ') !== readStatement(line).values.join(' ');
}

function plain(text: string): string {
  return text.trim().replace(/[.。]$/, '');
}
