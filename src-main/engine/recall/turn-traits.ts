/** What a turn looks like, whatever it says. Shares are 0 to 1. */
export interface TurnTraits {
  /** Share of the text in sentences that ask. */
  readonly asks: number;
  readonly firstPerson: boolean;
  readonly hasNumber: boolean;
  /** Times that are named; two or more count as 1. */
  readonly times: number;
}

const time =
  /\b(?:yesterday|today|tomorrow|tonight|ago|last|next|week|month|year|weekend|recently|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d|morning|evening|night|days?|since|summer|winter|spring|fall)\b|昨天|今天|明天|上周|下周|去年|今年|\d月|\d号|星期|前天/giu;
const number =
  /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|couple|several|both|twice|once)\b|[一二三四五六七八九十两]\p{L}/iu;
const firstPerson = /\b(?:I|I'm|I've|my|we|our|me)\b|我/u;

/** A turn says what it is early (UTF-16 units). */
const mostRead = 4_000;

export function turnTraits(text: string): TurnTraits {
  const read = text.slice(0, mostRead);
  return {
    asks: shareAsked(read),
    firstPerson: firstPerson.test(read),
    hasNumber: number.test(read),
    times: Math.min(1, (read.match(time)?.length ?? 0) / 2),
  };
}

function shareAsked(text: string): number {
  let asked = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const mark = text[index];
    if (mark === '?' || mark === '？') asked += index + 1 - start;
    if (mark !== undefined && '.!?。！？\n'.includes(mark)) start = index + 1;
  }
  return text.length === 0 ? 0 : asked / text.length;
}
