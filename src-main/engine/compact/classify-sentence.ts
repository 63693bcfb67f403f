import type { TurnRole } from '../../../src-shared/model/turn-envelope.ts';

/** The sections of a summary that consist of sentences. */
export type SentenceSection = 'decisions' | 'tasks' | 'rules' | 'requests' | 'facts';

const decisions =
  /\b(decided?|decision|agreed|we(?:'ll| will) (?:use|go with)|chose|settled on|conclusion|the fix is|root cause)\b|决定|定下来|选用|采用|结论/i;
const rules =
  /\b(always|never|must(?: not)?|do not|don't|from now on|make sure|prefer|only use|required?|rule)\b|必须|不要|不许|总是|永远|以后都|务必|偏好/i;
const tasks =
  /\b(todo|to do|next step|remaining|still (?:need|have) to|follow[- ]up|will (?:do|add|fix|check)|pending|blocked)\b|待办|接下来|还需要|下一步|未完成/i;
const questions = /\?$|？$|[吗呢]$|^(?:what|how|why|when|where|who|which|is|are|do|does|did|怎么|为什么|什么|哪)\b/i;
/** Verbs that begin an order; a list, since no form tells an English order from a statement. */
const verbs =
  "add adjust allow analyse analyze apply archive arrange ask attach automate back bring build bump call cancel change check choose clean close collect combine commit compare compile configure connect continue convert copy correct count create cut debug define delete deploy describe design disable document download draft draw drop edit email enable ensure estimate evaluate examine expand explain export extend extract figure fetch file fill filter find finish fix format generate get give go grant handle help hide highlight implement import improve include increase inspect install integrate introduce investigate join launch let's limit link list load log look lower make measure merge migrate mock move name notify open optimise optimize order organise organize paint parse patch pick ping plan play port post prepare print profile provide publish pull push put raise read rebase rebuild record redo reduce refactor regenerate reload remove rename reorder repair replace report reproduce reset resolve restart restore retry return revert review rewrite roll run save scan schedule search secure select send separate set ship show simplify skip sort specify split start stop store submit suggest summarise summarize support swap switch sync tag take tell test tidy track train translate trim try turn undo uninstall unify update upgrade upload use validate verify wait wire wrap write zip".replaceAll(
    ' ',
    '|',
  );
const orders = new RegExp(
  `^(?:(?:ok(?:ay)?|now|then|also|and|next|so|first|finally)[,.]?\\s+)?(?:please|kindly|(?:can|could|would|will) you|i(?:'d| would) like|i (?:want|need)|${verbs})\\b` +
    '|^(?:(?:好的?|那|然后|现在|接着|最后)[，,]?\\s*)?(?:请|帮|麻烦|给我|给|把|能不能|能否|可以|继续|再|修|改|加|写|删|查|看|跑|试|画|翻译|设计|测试|安装|配置|部署|重构|检查|解释|更新|生成|创建|添加|运行|优化|整理|总结|实现|升级|导出|导入)',
  'i',
);

/** The section of a summary in which a sentence belongs, by its words; `facts` when none speaks up. */
export function classifySentence(sentence: string, role: TurnRole): SentenceSection {
  if (role === 'tool') return 'facts';
  if (role === 'user' && /[?？]$/.test(sentence)) return 'requests';
  if (decisions.test(sentence)) return 'decisions';
  // What the model says of itself binds nobody.
  if (role !== 'assistant' && rules.test(sentence)) return 'rules';
  if (role === 'user' && isRequest(sentence)) return 'requests';
  return tasks.test(sentence) ? 'tasks' : 'facts';
}

function isRequest(sentence: string): boolean {
  return questions.test(sentence) || orders.test(sentence);
}

/** Asks for something to be known rather than done: an answer settles it. */
export function isQuestion(sentence: string): boolean {
  return questions.test(sentence) && !orders.test(sentence);
}
