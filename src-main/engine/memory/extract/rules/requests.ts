import type { CandidateLanguage } from '../candidate.ts';
import { groupSpan, trimSpan, type Span } from './span.ts';

export interface MemoryRequest {
  readonly kind: 'remember' | 'forget';
  /** What is to be remembered; empty where the sentence points at another one ("Remember that."). */
  readonly what: Span;
  /** `before`: the sentence before it; `after`: the sentences or list items that follow. */
  readonly points: 'itself' | 'before' | 'after';
  /** "Remember to …": something to do rather than something that is so. */
  readonly isTask: boolean;
}

const polite =
  "(?:(?:please|also|and|ok|okay|hey|so|oh|yes|btw|by the way)[, ]+)*(?:(?:can|could|would|will) you (?:please )?|(?:I'd like|I’d like|I want|I need) you to |you (?:should|must|need to) )?(?:please )?";
const verbs =
  "(?:(?:always )?remember(?! (?:when|how|what|why|who|where|if|whether|me\\b|it\\b|us\\b|last|yesterday|those|the (?:time|day|good|name|one)|anything|everything|correctly|right))|memori[sz]e|note(?= (?:that|this|down)\\b|[:,])|take note(?: of)?|(?:keep|bear) in mind|make a (?:mental )?note(?: of)?|(?:don't|don’t|do not|never) forget(?! (?:about it|it\\b|me\\b|what))|(?:save|store|put|add|write)(?: (?:this|that|it))? (?:to|in|into|down in) (?:your |my |the |long-term )*memory|(?:here is|here's) something to remember)";

const english = {
  itself: new RegExp(
    `^${polite}${verbs}(?:,? ?(?:that|this|the following|down|for (?:me|later|the future|next time)|always|please)\\b)*[\\s:,;—–-]*(?<what>.{2,})$`,
    'di',
  ),
  before: new RegExp(
    `^${polite}${verbs}(?: (?:that|this|it|all of (?:that|this)|down|these|those))*(?: (?:please|for (?:me|later|the future|next time)|from now on|in the future))*$`,
    'i',
  ),
  after: new RegExp(
    `^${polite}${verbs}(?: (?:that|this|the following|these(?: \\w+)?|all of (?:that|this)|a few (?:things|facts)|the following \\w+|about me))*[ ]?[:：]$`,
    'i',
  ),
  trailing:
    /^(?<what>.{6,}?)[,;:.]? *(?:[-–—] *|\()?(?:and |so )?(?:please )?(?:remember|note|don't forget|don’t forget|keep (?=(?:that|this|it) in mind)|make a note of)(?: (?:that|this|it)(?: in mind| down)?)(?:,? please)?\)?$/di,
  forget:
    /^(?:(?:please|ok|okay|and|also)[, ]+)*(?:(?:can|could|would) you (?:please )?)?(?:forget|stop remembering|don't remember|do not remember|(?:delete|remove|erase|drop) (?:from (?:your |the )?memory))(?!,? (?:it|this|me|what I (?:just )?said|about it|about this|that)\s*$)(?: (?:that|about|the fact that|what you know about|everything about|everything you know about|what I (?:said|told you) about|this|:))*[\s:,]+(?<what>.{3,})$/di,
  forgetFrom:
    /^(?:(?:please|ok|okay)[, ]+)*(?:delete|remove|erase|drop) (?<what>.{3,}?) from (?:your |the |my )?(?:long-term )?memory$/di,
};

const chinesePolite =
  '(?:(?:请|麻烦|拜托|帮我|替我|给我|你要|你得|你|一定要|务必|另外|还有|对了|能不能|可以|能|再)[，, ]?)*';
const chineseVerbs =
  '(?:记住(?!吗)|记下来?|记一下|记好|牢记|谨记|别忘了|别忘记|不要忘了|不要忘记|备注一下|存到记忆里|写进记忆|加入记忆|记得(?=我|我们|他|她|它|这|这个|以后|我的|：|:|，))';

const chinese = {
  itself: new RegExp(
    `^${chinesePolite}${chineseVerbs}(?:一下|了|哦|啊)?(?:这点|这件事|以下(?:内容|几点)?|下面(?:这些|几点)?)?[：:，,\\s]*(?<what>.{2,}?)(?:可以|好|行)?(?:吗|么)?[？?]?$`,
    'di',
  ),
  before: new RegExp(
    `^${chinesePolite}${chineseVerbs}(?:一下|了|哦|啊|吧)*(?:这一?点|这个|这些|这件事|它|这条|以上(?:内容)?)?(?:了|哦|啊|吧)*$`,
    'i',
  ),
  after: new RegExp(
    `^${chinesePolite}${chineseVerbs}(?:一下)?(?:以下|下面|这些|这几点|如下)?(?:内容|几点|这些|事项|信息)?[：:]$`,
    'i',
  ),
  trailing:
    /^(?<what>.{4,}?)[，,；;。]\s*(?:请|麻烦|你要|你|帮我|一定要)*(?:记住|记一下|记下来?|别忘了|不要忘了|记得)(?:这一?点|这个|哦|啊|了|吧)*$/di,
  forget:
    /^(?:请|麻烦|你|帮我|可以)*(?:忘掉|忘记|忘了(?!告诉|说|跟|和|问)|不要再?记(?:住|得)?|别再?记(?:住|得)?|(?:从(?:你的)?记忆(?:里|中))(?:删除|删掉|去掉|抹掉))(?!吧|它$|了$|这个$)(?:关于|有关)?[：:，,\s]*(?<what>.{2,}?)(?:这件事|的事|这一点|的记忆)?$/di,
  forgetFrom: /^(?:请|麻烦|帮我)*(?:删除|删掉|清除|抹掉)(?:关于|有关)?(?<what>.{2,}?)的记忆$/di,
};

/** What a sentence asks to be kept or dropped; undefined where it asks for nothing of the kind. */
export function requestIn(sentence: Span, language: CandidateLanguage): MemoryRequest | undefined {
  const patterns = language === 'zh' ? chinese : english;
  const whole = sentence.masked.trim();
  if (patterns.after.test(whole)) return pointing('after');
  const plain = trimSpan(withoutQuestionMark(sentence));
  if (patterns.before.test(plain.masked)) return pointing('before');
  for (const pattern of [patterns.forgetFrom, patterns.forget]) {
    const what = found(pattern, plain);
    if (what) return { kind: 'forget', what, points: 'itself', isTask: false };
  }
  const what = found(patterns.itself, plain);
  if (what) return { kind: 'remember', what, points: 'itself', isTask: /^to\s/i.test(what.masked) };
  const before = found(patterns.trailing, plain);
  return before && { kind: 'remember', what: before, points: 'itself', isTask: false };
}

function found(pattern: RegExp, span: Span): Span | undefined {
  const match = pattern.exec(span.masked);
  const what = match && groupSpan(span, match, 'what');
  return what ? trimSpan(what) : undefined;
}

/** "Can you remember that …?" asks for nothing but that. */
function withoutQuestionMark(span: Span): Span {
  const isPolite = /^(?:please )?(?:can|could|would|will) you\b|能不能|能|可以/i.test(span.masked);
  if (!isPolite || !/[?？]\s*$/.test(span.masked)) return span;
  const end = span.masked.trimEnd().length - 1;
  return { text: span.text.slice(0, end), masked: span.masked.slice(0, end) };
}

function pointing(points: 'before' | 'after'): MemoryRequest {
  return { kind: 'remember', what: { text: '', masked: '' }, points, isTask: false };
}
