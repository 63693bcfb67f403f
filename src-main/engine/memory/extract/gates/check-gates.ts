import type { Candidate } from '../candidate.ts';
import { maskSecrets } from './mask-secrets.ts';

export type RefusalCode =
  'secret' | 'code_structure' | 'git_history' | 'temporary_task' | 'chit_chat' | 'not_self_contained' | 'empty';

export interface GateResult {
  /** The candidate with every secret in it masked; only this may be kept anywhere. */
  readonly candidate: Candidate;
  readonly durable: boolean;
  readonly useful: boolean;
  readonly refusal: { readonly code: RefusalCode; readonly message: string } | undefined;
}

const codeStructure =
  /\b(?:function|method|class|variable|constant|struct|enum|interface|hook|component|module|import|parameter|constructor|decorator|macro|type alias)s? [`'"]?[A-Za-z_$][\w$.]*(?:\(\))?[`'"]? (?:is (?:defined|declared|located|implemented|called|imported|exported|in)|calls?|returns?|imports?|exports?|extends?|implements?|takes|lives|lies|accepts|throws|wraps)\b|[\w/.-]+\.(?:ts|tsx|js|jsx|py|rs|go|java|c|cc|cpp|h|hpp|rb|php|cs|kt|swift|vue)(?::\d+)? (?:imports?|exports?|contains?|defines?|has (?:a|the|\d)|declares?|implements?|calls?)\b|\b(?:is|are) (?:defined|declared|implemented|located|imported|exported) (?:in|at|on|from) [`'"]?[\w/.-]+\.[a-z]{1,4}\b|\b(?:on|at) line \d+ (?:of|in)\b|\b(?:the )?(?:file|folder|directory) [`'"]?[\w/.-]+[`'"]? (?:contains?|has|holds|imports?|exports?)\b|(?:函数|方法|类|变量|接口|组件|模块)\s?[`'"]?[A-Za-z_$][\w$.]*(?:\(\))?[`'"]?\s?(?:定义|声明|实现|位于|在|返回|调用|导入|导出|继承)|第\s?\d+\s?行/i;

const gitHistory =
  /\bcommit(?:ted)? [`'"]?[0-9a-f]{7,40}\b|\b[0-9a-f]{40}\b|\b(?:last|latest|previous|most recent|first) commit\b|\b(?:merged|rebased|cherry-picked|reverted|squashed|force-pushed) (?:the |a |my |our )?(?:branch|commit|PR|pull request|MR|#\d+)|\bcommit history\b|\bgit (?:log|blame|history)\b|\bPR #?\d+ (?:was|is|has been) (?:merged|closed|opened)|(?:最近|上|上一|最后)(?:一)?(?:次|个)提交|提交记录|提交历史|合并了?(?:分支|PR|请求)/i;

const temporary =
  /\b(?:right now|at the moment|for now|for the time being|just this once|this time(?: only)?|(?:in|for|on|to) this (?:task|session|file|function|class|branch|pr|pull request|commit|chat|conversation|ticket|issue|bug|test|line|method|component|module|page|script|example|case|one)|(?:am|is|are|'m|'re) (?:currently |now |still |just )*(?:working on|debugging|fixing|looking (?:at|into)|testing|waiting for|trying|reviewing|refactoring|compiling|running|stuck|about to)|(?:current|today's|next) (?:task|step|todo|to-do)|until (?:i'm|i am) (?:back|done|finished)|(?:build|tests?|ci|pipeline|server) (?:is|are) (?:failing|broken|red|down|green|running))\b|这次|这一次|暂时|目前正在|正在(?:调试|修复|改|写|看|跑|等|处理|重构|测试)|当前任务|本次(?:任务|会话|对话)|这个(?:文件|函数|任务|分支|提交|会话|对话)|先这样/i;

const chitChat =
  /^(?:the user )?(?:loves?|likes?|enjoys?) (?:you|talking (?:to|with) you|chatting|it here|this|that|your help)\b|\b(?:have a (?:nice|good|great)|good (?:morning|night|evening)|how are you|thank you|thanks|lol|haha)\b|^用户(?:爱|喜欢)(?:你|和你聊天)|哈哈|谢谢|早上好|晚安/i;

const pointing =
  /^(?:it|that|this|these|those|he|she|they|the (?:first|second|latter|former) (?:one|option)?|那个|这个|它|前者|后者)[.。]?$/i;

/**
 * May it be kept, will it still matter, is it of use? Whether it is new is for the judgement. Who asks for something in
 * so many words decides that it matters; what must not be kept is refused all the same.
 */
export function checkGates(given: Candidate): GateResult {
  const { candidate, secrets } = masked(given);
  const refuse = (code: RefusalCode, message: string, gates: { durable: boolean; useful: boolean }): GateResult => ({
    candidate,
    ...gates,
    refusal: { code, message },
  });
  const { text, explicit } = candidate;
  if (secrets.length > 0) {
    return refuse(
      'secret',
      `A secret is in it (${secrets.join(', ')}). Secrets are never kept in memory; put them into a password manager and remember where they are.`,
      { durable: true, useful: false },
    );
  }
  if (!/[\p{L}\p{N}]/u.test(text))
    return refuse('empty', 'There is nothing in it that could be remembered.', { durable: false, useful: false });
  if (pointing.test(text))
    return refuse('not_self_contained', 'It cannot be understood by itself. Say what it is about.', {
      durable: false,
      useful: false,
    });
  if (codeStructure.test(text)) {
    return refuse(
      'code_structure',
      'It is about where things stand in the code; the code itself says that, and changes.',
      { durable: false, useful: false },
    );
  }
  if (gitHistory.test(text))
    return refuse('git_history', 'The history of the repository keeps it.', { durable: true, useful: false });
  // Somebody who says "remember" knows how long it matters.
  if (temporary.test(text) && !explicit) {
    return refuse('temporary_task', 'It is about what is being done at the moment, which will be over soon.', {
      durable: false,
      useful: false,
    });
  }
  if (chitChat.test(text) && !explicit)
    return refuse('chit_chat', 'It is said in passing and of no use later.', { durable: false, useful: false });
  return { candidate, durable: true, useful: true, refusal: undefined };
}

function masked(candidate: Candidate): { readonly candidate: Candidate; readonly secrets: readonly string[] } {
  const text = maskSecrets(candidate.text);
  const title = maskSecrets(candidate.title);
  const topic = maskSecrets(candidate.topic);
  const others = [...candidate.denies, ...candidate.aliases].map((one) => maskSecrets(one));
  const secrets = [...new Set([text, title, topic, ...others].flatMap(({ found }) => found))];
  if (secrets.length === 0) return { candidate, secrets };
  return {
    candidate: { ...candidate, text: text.text, title: title.text, topic: topic.text, denies: [], aliases: [] },
    secrets,
  };
}
