/** A calendar day where the user is. */
export interface LocalDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** @param at milliseconds since the Unix epoch */
export function localDay(at: number, timeZone: string): LocalDay {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .format(new Date(at))
    .split('-')
    .map(Number);
  const [year = 1970, month = 1, day = 1] = parts;
  return { year, month, day };
}

/** `YYYY-MM-DD`. */
export function dayText({ year, month, day }: LocalDay): string {
  return `${year}-${two(month)}-${two(day)}`;
}

export interface ResolvedText {
  readonly text: string;
  /** The first date that it names, `YYYY-MM-DD`, `YYYY-MM` or `YYYY`; written out or worked out. */
  readonly date: string | undefined;
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const months = 'january february march april may june july august september october november december'.split(' ');
const numbers: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
};

const weekdayPattern = weekdays.join('|');
const monthPattern = `(?:${months.join('|')}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`;
const countPattern = '\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten';

const english = new RegExp(
  [
    `(?<prep>\\b(?:on|by|until|since|from)\\s+)?\\b(?:(?<rel>next|this|last|coming)\\s+(?<wd>${weekdayPattern})|(?<relunit>next|this|last)\\s+(?<unit>week|month|year))\\b(?!\\s+of\\b)`,
    `\\b(?<day>day after tomorrow|day before yesterday|today|tonight|tomorrow|yesterday)\\b`,
    `\\bin\\s+(?<inn>${countPattern})\\s+(?<inunit>day|week|month|year)s?\\b(?!\\s+of)`,
    `\\b(?<ago>${countPattern})\\s+(?<agounit>day|week|month|year)s?\\s+ago\\b`,
    `(?<before>\\b(?:on|is|was|until|till|by|before)\\s+)(?<bare>${weekdayPattern})\\b`,
    `\\b(?<mon>${monthPattern})\\.?\\s+(?<mday>\\d{1,2})(?:st|nd|rd|th)?\\b(?:,?\\s+(?<myear>\\d{4})\\b)?`,
    `\\b(?<dday>\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?(?<dmon>${monthPattern})\\b(?:,?\\s+(?<dyear>\\d{4})\\b)?`,
  ].join('|'),
  'gi',
);

const chinese =
  /(?<rel>上上|下下|上|下|这|本)(?:个)?(?:周|星期|礼拜)(?<wd>[一二三四五六日天])|(?<weekrel>上|下|这|本)(?:个)?(?:周|星期|礼拜)(?![一二三四五六日天末])|(?<monthrel>上|下|这|本)个?月(?:(?<relday>\d{1,2})[号日])?|(?<day>大后天|大前天|今天|今晚|今日|明天|明晚|明日|后天|昨天|昨晚|昨日|前天)|(?<year>今年|明年|去年|后年|前年)(?:(?<ymon>\d{1,2})月(?:(?<yday>\d{1,2})[号日])?)?|(?<n>\d{1,3}|[一两二三四五六七八九十])(?:个)?(?<nunit>天|周|星期|月|年)(?<dir>之?后|以后|之?前|以前)|(?:(?<fyear>\d{4})年)?(?<fmon>\d{1,2})月(?<fday>\d{1,2})[号日]/gu;

const chineseDays: Readonly<Record<string, number>> = {
  今天: 0,
  今晚: 0,
  今日: 0,
  明天: 1,
  明晚: 1,
  明日: 1,
  后天: 2,
  大后天: 3,
  昨天: -1,
  昨晚: -1,
  昨日: -1,
  前天: -2,
  大前天: -3,
};
const chineseYears: Readonly<Record<string, number>> = { 今年: 0, 明年: 1, 后年: 2, 去年: -1, 前年: -2 };

/**
 * Puts absolute dates in the place of relative ones, as said on the day. "Next Friday" and 下周五 are the Friday of the
 * week after this one (weeks begin on Monday), "on Friday" the first one from that day on. "Daily" words such as "on
 * Fridays" stay.
 *
 * @param onlyRelative leaves days of a month as they are: a birthday is on no day of a certain year
 */
export function resolveDates(text: string, said: LocalDay, onlyRelative = false): ResolvedText {
  let date: string | undefined;
  const note = (found: string | undefined): string | undefined => {
    if (found !== undefined) date ??= found;
    return found;
  };
  const first = /(?<!\d)\d{4}-\d\d(?:-\d\d)?(?!\d)/.exec(text)?.[0];
  const told = text
    .replace(english, (...found: unknown[]) => {
      const whole = String(found[0]);
      const offset = Number(found.at(-3));
      const before = text.slice(Math.max(0, offset - 8), offset);
      // "The last Friday", "every next year": a day of a rule, not of the calendar.
      if (/\b(?:the|every|each)\s+$/i.test(before) && /^(?:next|this|last|coming)\b/i.test(whole)) return whole;
      const resolved = note(englishDate(groupsOf(found), said, onlyRelative));
      if (resolved === undefined) return whole;
      const { prep, before: kept } = groupsOf(found);
      if (kept !== undefined) return `${kept}${/^(?:is|was)\s/i.test(kept) ? 'on ' : ''}${resolved}`;
      const word = prep?.trim() ?? (resolved.length < 10 ? 'in' : 'on');
      return /\b(?:on|in|by|until|before|after|since|from|for|to|till|of)\s+$/i.test(before)
        ? resolved
        : `${word} ${resolved}`;
    })
    .replace(
      chinese,
      (...found: unknown[]) => note(chineseDate(groupsOf(found), said, onlyRelative)) ?? String(found[0]),
    );
  return { text: told, date: date ?? first };
}

type Groups = Readonly<Record<string, string | undefined>>;

/** `replace` hands them over last. */
function groupsOf(found: readonly unknown[]): Groups {
  return found.at(-1) as Groups;
}

function englishDate(groups: Groups, said: LocalDay, onlyRelative: boolean): string | undefined {
  const { rel, wd, relunit, unit, day, inn, inunit, ago, agounit, bare, mon, mday, myear, dmon, dday, dyear } = groups;
  if (wd !== undefined) return dayText(weekday(said, weekdays.indexOf(wd.toLowerCase()), (rel ?? '').toLowerCase()));
  if (unit !== undefined) return relativeUnit(said, unit.toLowerCase(), stepOf(relunit ?? ''));
  if (day !== undefined) return dayText(plusDays(said, englishDays[day.toLowerCase()] ?? 0));
  if (inn !== undefined) return plusUnits(said, countOf(inn), inunit ?? '');
  if (ago !== undefined) return plusUnits(said, -countOf(ago), agounit ?? '');
  if (bare !== undefined) return dayText(weekday(said, weekdays.indexOf(bare.toLowerCase()), 'coming'));
  if (onlyRelative) return undefined;
  if (mon !== undefined) return fixed(said, myear, monthOf(mon), Number(mday));
  if (dmon !== undefined) return fixed(said, dyear, monthOf(dmon), Number(dday));
  return undefined;
}

const englishDays: Readonly<Record<string, number>> = {
  today: 0,
  tonight: 0,
  tomorrow: 1,
  yesterday: -1,
  'day after tomorrow': 2,
  'day before yesterday': -2,
};

function chineseDate(groups: Groups, said: LocalDay, onlyRelative: boolean): string | undefined {
  const { rel, wd, weekrel, monthrel, relday, day, year, ymon, yday, n, nunit, dir, fyear, fmon, fday } = groups;
  if (wd !== undefined) {
    const index = '一二三四五六日'.indexOf(wd === '天' ? '日' : wd);
    const weeks = { 上上: -2, 上: -1, 下: 1, 下下: 2 }[rel ?? ''] ?? 0;
    return dayText(plusDays(startOfWeek(said), weeks * 7 + index));
  }
  if (weekrel !== undefined) return relativeUnit(said, 'week', chineseStep(weekrel));
  if (monthrel !== undefined) {
    const month = relativeUnit(said, 'month', chineseStep(monthrel));
    return relday === undefined ? month : `${month}-${two(Number(relday))}`;
  }
  if (day !== undefined) return dayText(plusDays(said, chineseDays[day] ?? 0));
  if (year !== undefined) {
    const base = String(said.year + (chineseYears[year] ?? 0));
    if (ymon === undefined) return base;
    return `${base}-${two(Number(ymon))}${yday === undefined ? '' : `-${two(Number(yday))}`}`;
  }
  if (n !== undefined) {
    const unit = { 天: 'day', 周: 'week', 星期: 'week', 月: 'month', 年: 'year' }[nunit ?? ''] ?? 'day';
    return plusUnits(said, countOf(n) * ((dir ?? '').includes('前') ? -1 : 1), unit);
  }
  return fmon === undefined || onlyRelative ? undefined : fixed(said, fyear, Number(fmon), Number(fday));
}

/** Without a year: the one that is nearest to the day on which it was said. */
function fixed(said: LocalDay, year: string | undefined, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  if (year !== undefined) return dayText({ year: Number(year), month, day });
  const distance = (candidate: number): number => Math.abs(utc({ year: candidate, month, day }) - utc(said));
  const nearest = [said.year, said.year + 1, said.year - 1].reduce((best, one) =>
    distance(one) < distance(best) ? one : best,
  );
  return dayText({ year: nearest, month, day });
}

function weekday(said: LocalDay, index: number, relation: string): LocalDay {
  if (relation === 'next') return plusDays(startOfWeek(said), 7 + index);
  const today = weekdayOf(said);
  if (relation === 'last') return plusDays(said, -(((today - index + 6) % 7) + 1));
  return plusDays(said, (index - today + 7) % 7);
}

function relativeUnit(said: LocalDay, unit: string, step: number): string {
  if (unit === 'week') return dayText(plusDays(startOfWeek(said), 7 * step));
  if (unit === 'year') return String(said.year + step);
  return plusUnits(said, step, 'month').slice(0, 7);
}

function plusUnits(said: LocalDay, count: number, unit: string): string {
  if (unit === 'day') return dayText(plusDays(said, count));
  if (unit === 'week') return dayText(plusDays(said, 7 * count));
  if (unit === 'year') return String(said.year + count);
  const total = said.year * 12 + (said.month - 1) + count;
  const year = Math.floor(total / 12);
  const month = (total % 12) + 1;
  return `${year}-${two(month)}`;
}

function stepOf(relation: string): number {
  return { next: 1, last: -1 }[relation.toLowerCase()] ?? 0;
}

function chineseStep(relation: string): number {
  return { 上: -1, 下: 1 }[relation] ?? 0;
}

function countOf(text: string): number {
  return numbers[text.toLowerCase()] ?? Number(text);
}

function monthOf(name: string): number {
  return months.findIndex((month) => month.startsWith(name.slice(0, 3).toLowerCase())) + 1;
}

/** 0 is Monday. */
function weekdayOf(day: LocalDay): number {
  return (new Date(utc(day)).getUTCDay() + 6) % 7;
}

function startOfWeek(day: LocalDay): LocalDay {
  return plusDays(day, -weekdayOf(day));
}

function plusDays(day: LocalDay, count: number): LocalDay {
  const moved = new Date(utc(day) + count * 86_400_000);
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

function utc({ year, month, day }: LocalDay): number {
  return Date.UTC(year, month - 1, day);
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
