import type { RecallIntent } from '../../../src-shared/model/recall.ts';

/** First match wins: what names a sort of memory goes before what could be any. */
const rules: readonly (readonly [RecallIntent, RegExp])[] = [
  [
    'preference',
    /\b(?:prefer(?:s|red|ence|ences)?|favou?rites?|likes?|dislikes?|hates?|habits?|usually|style|taste)\b|偏好|喜欢|讨厌|习惯|爱好|口味/iu,
  ],
  [
    'procedure',
    /\bhow (?:do|can|should|to|does|did)\b|\b(?:steps?|procedure|instructions?|workflow|runbook|recipe)\b|怎么(?!样|回事)|如何|步骤|流程|方法/iu,
  ],
  [
    'document',
    /\b(?:documents?|docs?|files?|notes?|readme|specs?|reports?|guides?|manuals?)\b|文档|文件|笔记|说明书|报告/iu,
  ],
  [
    'event',
    /\b(?:when|yesterday|today|tonight|last (?:week|month|year|night|time)|this (?:week|month|year)|ago|decide[ds]?|decision|happened|meeting)\b|什么时候|何时|昨天|今天|前天|上周|上个?月|去年|决定|发生|会议/iu,
  ],
  [
    'entity',
    /^\s*(?:who|where|which (?:person|company|place))\b|^\s*(?:tell me about|what is|what's)\b|谁|哪里|是什么/iu,
  ],
];

/** Intent by rules (spec §10). It moves weights a little and never hides anything. */
export function findIntent(query: string): RecallIntent {
  const text = query.slice(0, mostRead);
  return rules.find(([, pattern]) => pattern.test(text))?.[0] ?? 'general';
}

/** A question says what it wants early (UTF-16 units). */
const mostRead = 2_000;

/** Kinds that an intent favours, and by how much (factor of the score). Small: an intent is a guess. */
export function favourOf(intent: RecallIntent, source: 'page' | 'turn' | 'checkpoint', kind: string): number {
  if (source !== 'page') return intent === 'event' ? 1.03 : 1;
  return favoured[intent]?.includes(kind) === true ? 1.08 : 1;
}

const favoured: Partial<Record<RecallIntent, readonly string[]>> = {
  preference: ['preference', 'profile'],
  procedure: ['skill', 'pattern', 'case', 'tool'],
  document: ['note'],
  event: ['event'],
  entity: ['entity', 'profile', 'person', 'company', 'project'],
  relation: ['entity'],
};
