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
const orders =
  /^(?:(?:ok(?:ay)?|now|then|also|and|next|so|好的?|那|然后|现在)[,，.。]?\s*)?(?:please|can you|could you|would you|will you|let's|add|build|change|check|clean|compare|convert|create|debug|delete|deploy|describe|explain|find|fix|give|go on|help|implement|investigate|list|look|make|merge|migrate|move|open|refactor|release|remove|rename|replace|revert|review|rewrite|run|send|set|show|start|stop|summari[sz]e|tell|test|translate|try|turn|update|upgrade|use|write)\b|^(?:(?:好的?|那|然后|现在)[，,]?\s*)?(?:请|帮|麻烦|给我|把|能不能|能否|可以|继续|修|改|加|写|删|查|看|跑|试|部署|重构|检查|解释|更新|生成|创建|添加|运行)/i;

/** The section of a summary in which a sentence belongs, by its words; `facts` when none speaks up. */
export function classifySentence(sentence: string, role: TurnRole): SentenceSection {
  if (role === 'tool') return 'facts';
  if (role === 'user' && /[?？]$/.test(sentence)) return 'requests';
  if (decisions.test(sentence)) return 'decisions';
  if (rules.test(sentence)) return 'rules';
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
