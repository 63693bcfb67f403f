/** From the first to before the second (ms since the epoch). */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

const day = 86_400_000;
const months = 'january february march april may june july august september october november december'.split(' ');
const numbers: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'one two three four five six seven eight nine ten'.split(' ').map((word, index) => [word, index + 1]),
  ),
  ...Object.fromEntries([...'一二三四五六七八九十'].map((word, index) => [word, index + 1])),
  ...{ a: 1, an: 1, 两: 2, couple: 2, few: 3, 几: 3 },
};
const count = String.raw`(\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|an?|couple(?: of)?|few|[一二三四五六七八九十两几])`;

/**
 * The time that a question asks about, in English or Chinese: a date, a month, a year, or words that count from now. Days
 * are days of UTC. Undefined when it names none.
 */
export function timeSpanOf(query: string, now: number): TimeSpan | undefined {
  const text = query.slice(0, 2_000).toLowerCase();
  return dated(text) ?? relative(text, now) ?? named(text, now);
}

function dated(text: string): TimeSpan | undefined {
  const iso =
    /\b((?:19|20)\d\d)-(\d\d?)(?:-(\d\d?))?\b/.exec(text) ??
    /((?:19|20)\d\d)年(?:(\d\d?)月)?(?:(\d\d?)[日号])?/.exec(text);
  if (iso)
    return calendar(
      Number(iso[1]),
      iso[2] === undefined ? undefined : Number(iso[2]) - 1,
      iso[3] === undefined ? undefined : Number(iso[3]),
    );
  const month = `(${months.map((name) => `${name}|${name.slice(0, 3)}`).join('|')})`;
  const dayFirst = new RegExp(String.raw`\b(\d\d?)(?:st|nd|rd|th)?(?: of)? ${month}\b,? ((?:19|20)\d\d)\b`).exec(text);
  if (dayFirst) return calendar(Number(dayFirst[3]), monthOf(dayFirst[2]), Number(dayFirst[1]));
  const monthFirst = new RegExp(String.raw`\b${month}\b(?: (\d\d?)(?:st|nd|rd|th)?)?,? ((?:19|20)\d\d)\b`).exec(text);
  if (monthFirst) {
    return calendar(
      Number(monthFirst[3]),
      monthOf(monthFirst[1]),
      monthFirst[2] === undefined ? undefined : Number(monthFirst[2]),
    );
  }
  return undefined;
}

function relative(text: string, now: number): TimeSpan | undefined {
  const today = Math.floor(now / day) * day;
  if (/\b(?:today|tonight)\b|今天|今晚/.test(text)) return { from: today, to: today + day };
  if (/\b(?:yesterday|last night)\b|昨天|昨晚/.test(text)) return { from: today - day, to: today };
  if (/前天|\bday before yesterday\b/.test(text)) return { from: today - 2 * day, to: today - day };
  // Monday begins the week; 1 January 1970 was a Thursday.
  const monday = today - ((((today / day + 3) % 7) + 7) % 7) * day;
  if (/\blast week\b|上(?:个)?(?:周|星期|礼拜)/.test(text)) return { from: monday - 7 * day, to: monday };
  if (/\bthis week\b|[这本](?:个)?(?:周|星期|礼拜)/.test(text)) return { from: monday, to: monday + 7 * day };
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (/\blast month\b|上个?月/.test(text)) return calendar(year, month - 1, undefined);
  if (/\bthis month\b|[这本]个?月/.test(text)) return calendar(year, month, undefined);
  if (/\blast year\b|去年/.test(text)) return calendar(year - 1, undefined, undefined);
  if (/\bthis year\b|今年/.test(text)) return calendar(year, undefined, undefined);
  const ago =
    new RegExp(String.raw`\b${count} (day|week|month|year)s? ago\b`).exec(text) ??
    new RegExp(String.raw`${count}(?:个)?(天|周|星期|月|年)前`).exec(text);
  if (!ago) return undefined;
  const length =
    {
      day,
      天: day,
      week: 7 * day,
      周: 7 * day,
      星期: 7 * day,
      month: 30 * day,
      月: 30 * day,
      year: 365 * day,
      年: 365 * day,
    }[ago[2] ?? ''] ?? day;
  const [word = ''] = (ago[1] ?? '').split(' ');
  const back = (numbers[word] ?? Number(word)) * length;
  // "Three weeks ago" is about then.
  return { from: today - back - length / 2, to: today - back + length / 2 + day };
}

/** "In May", "on May 7": the last one that has begun. */
function named(text: string, now: number): TimeSpan | undefined {
  const found =
    new RegExp(
      String.raw`\b(?:in|since|during|of|last|on|this) (${months.join('|')})\b(?: (\d\d?)(?:st|nd|rd|th)?\b)?`,
    ).exec(text) ?? /(?:^|[^\d年])(\d\d?)月(?:(\d\d?)[日号])?/.exec(text);
  if (found) {
    const month = /^\d/.test(found[1] ?? '') ? Number(found[1]) - 1 : monthOf(found[1]);
    const year = new Date(now).getUTCFullYear();
    const span = calendar(year, month, found[2] === undefined ? undefined : Number(found[2]));
    return span && span.from > now
      ? calendar(year - 1, month, found[2] === undefined ? undefined : Number(found[2]))
      : span;
  }
  const year = /\b(?:in|since|during|of) ((?:19|20)\d\d)\b/.exec(text);
  return year ? calendar(Number(year[1]), undefined, undefined) : undefined;
}

function monthOf(name: string | undefined): number {
  return months.findIndex((month) => month.startsWith((name ?? '').slice(0, 3)));
}

function calendar(year: number, month: number | undefined, date: number | undefined): TimeSpan | undefined {
  if (month === undefined) return { from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0) };
  if (month > 11) return undefined;
  if (date === undefined) return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
  const from = Date.UTC(year, month, date);
  return date >= 1 && date <= 31 ? { from, to: from + day } : undefined;
}
