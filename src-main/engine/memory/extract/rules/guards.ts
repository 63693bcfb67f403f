/** Words that make of a statement something that nobody claims: a condition, a wish, a doubt, a joke, a report. */
const hypothetical =
  /^(?:if|suppose|supposing|imagine|assume|assuming|let's (?:say|pretend|assume|imagine)|say (?:I|we)\b|what if|in case|pretend|hypothetically|for (?:example|instance)|e\.g\.|unless|would|could|should|might|wish|were (?:I|we)|had (?:I|we)|假如|如果|要是|假设|假使|倘若|万一|若是|假定|比如|例如|譬如|要不是)|\b(?:if (?:I|we|you|my|our)|I wish|as if|hypothetical(?:ly)?|pretend|imagine|suppose)\b|\b(?:I|we)(?:'d|’d| would| might| could| may)\b(?! (?:rather|prefer|like you to))|如果我|假如我|要是我|假设我|好像我/i;

const conditionalStart = /^(?:if|unless|in case|如果|要是|假如)(?! I (?:were|was|had|liked|lived|could))/i;

const doubtful =
  /\b(?:I (?:don't|don’t|do not|didn't|did not) (?:think|know|believe|remember|say|mean|recall)|(?:I'm|I am|I’m) (?:not (?:sure|saying|certain|claiming)|unsure|kidding|joking|wondering)|not that (?:I|we)|it's not (?:that|like|as if)|I never (?:said|told|asked|meant|claimed)|doesn't mean|I (?:guess|doubt|think|suppose|wonder)|maybe|perhaps|probably|possibly|not necessarily|just kidding|jk|haven't (?:yet )?(?:decided|agreed|settled)|hasn't decided|not (?:yet )?(?:decided|settled|agreed)|almost decided|nearly decided|should decide|need to decide|have to decide|can't decide|trying to decide|didn't decide)\b|我(?:不认为|不觉得|不确定|不知道|没说|没有说|可能|也许|大概|觉得|猜|怀疑|开玩笑)|也许|可能会|大概|说不定|开玩笑|还没(?:有)?(?:决定|确定|定)|尚未决定|没有决定|不一定|难道/i;

/** Somebody else says it. */
const reported =
  /\b(?:he|she|they|someone|somebody|people|everyone|everybody|who|(?:the|this|that|an?|my|our|your|his|her|their) [\w-]+(?: [\w-]+)?|\p{Lu}\p{L}+)(?:'s)? (?:said|says|say|told|tells|wrote|writes|thinks|thought|claims?|claimed|asked|asks|mentioned|states?|insists?|suggests?|suggested|believes|replied|answered|goes like)\b|\baccording to\b|\bquote\b|(?:他|她|他们|她们|有人|别人|大家|老板|同事|朋友|客户|文章|书上|文档|[\p{Script=Han}]{2,3}(?<!我))(?:说|告诉我|认为|觉得|写道|表示|声称|问)|据说|听说/iu;

/** A sentence about a text to work on, after which the text follows. */
const aboutText =
  /\b(?:translate|rewrite|proofread|paraphrase|summari[sz]e|rephrase|spell-?check|edit|polish|review|shorten)\b.{0,60}\b(?:this|these|following|below|text|sentences?|paragraph|e-?mail|letter|message|essay|into)\b|\b(?:fix|check|correct|improve) (?:the )?(?:grammar|spelling|wording|following)\b|\bwrite (?:me )?(?:an?|the) (?:[\w-]+ ){0,3}(?:story|poem|essay|letter|e-?mail|song|dialogue|script|speech|bio|cover letter|joke)\b|(?:翻译|润色|改写|校对|概括|总结|缩写|续写)(?:一下|下面|以下|这|成)|(?:以下|下面)(?:是|的)?(?:文章|文字|内容|句子|邮件|对话|段落|文档|代码)|写(?:一|个|篇|封|首)(?:篇|封|首|个)?.{0,10}(?:故事|作文|文章|邮件|信|诗|小说|剧本|演讲稿)/i;

const question =
  /[?？]["”'’)）]*\s*$|(?:吗|呢|么|没有|好不好|对不对|是不是|行不行)[。.!！]?$|^(?:do|does|did|can|could|would|will|should|shall|is|are|am|was|were|have|has|had|what|why|how|when|where|who|which|whose|whom|isn't|aren't|don't (?:I|we|you)|didn't)\b(?! (?:a note|it|not))/i;

export interface SentenceTraits {
  readonly isQuestion: boolean;
  readonly isHypothetical: boolean;
  /** A condition before something that may well be a rule: "if the tests fail, always …". */
  readonly isCondition: boolean;
  readonly isDoubtful: boolean;
  readonly isReported: boolean;
}

/** By the sentence with its quoted parts blanked out. */
export function traitsOf(masked: string): SentenceTraits {
  const isHypothetical = hypothetical.test(masked);
  return {
    isQuestion: question.test(masked),
    isHypothetical,
    isCondition: conditionalStart.test(masked) && !/\b(?:would|could|might)\b|会不会/.test(masked),
    isDoubtful: doubtful.test(masked),
    isReported: reported.test(masked),
  };
}

/** What follows is the text that is to be worked on, and nothing the user says of themselves. */
export function announcesText(masked: string): boolean {
  return aboutText.test(masked);
}
