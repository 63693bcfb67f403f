import type { TurnRole } from '../../../src-shared/model/turn-envelope.ts';

export type SummarySection = 'decisions' | 'tasks' | 'rules' | 'requests' | 'facts';

const decisions =
  /\b(decided?|decision|agreed|we(?:'ll| will) (?:use|go with)|chose|settled on|conclusion|the fix is|root cause)\b|决定|定下来|选用|采用|结论/i;
const rules =
  /\b(always|never|must(?: not)?|do not|don't|from now on|make sure|prefer|only use|required?|rule)\b|必须|不要|不许|总是|永远|以后都|务必|偏好/i;
const tasks =
  /\b(todo|to do|next step|remaining|still (?:need|have) to|follow[- ]up|will (?:do|add|fix|check)|pending|blocked)\b|待办|接下来|还需要|下一步|未完成/i;
const requests =
  /\?$|？$|^(?:please|can you|could you|what|how|why|when|where|who|which|is|are|do|does|请|能不能|怎么|为什么|什么|哪)/i;

/** The section of a summary in which a sentence belongs, by its words; `facts` when none speaks up. */
export function classifySentence(sentence: string, role: TurnRole): SummarySection {
  if (role === 'tool') return 'facts';
  if (decisions.test(sentence)) return 'decisions';
  if (rules.test(sentence)) return 'rules';
  if (tasks.test(sentence)) return 'tasks';
  return role === 'user' && requests.test(sentence) ? 'requests' : 'facts';
}
