import type { RecallCandidate, RecallResult } from '../../../src-shared/model/recall.ts';
import { searchRoute } from '../../../src-shared/protocol/search.ts';
import type { CliContext } from '../cli-context.ts';

export interface RecallOptions {
  readonly limit: number;
  readonly maxTokens: number;
  readonly explain?: boolean;
  readonly kind?: readonly string[];
  readonly label?: readonly string[];
  readonly user?: string;
  readonly agent?: string;
  readonly sessionKey?: string;
  readonly inactive?: boolean;
}

/** What recall would give a model for a question; `explain` shows the score of every candidate by its parts. */
export async function recallCommand(context: CliContext, query: string, options: RecallOptions): Promise<void> {
  const result = await context.client.call(searchRoute, {
    body: {
      query,
      limit: options.limit,
      max_tokens: options.maxTokens,
      kinds: options.kind && [...options.kind],
      labels: options.label && [...options.label],
      user_id: options.user,
      agent_id: options.agent,
      session_key: options.sessionKey,
      include_inactive: options.inactive ?? false,
    },
  });
  if (context.json) {
    context.print(JSON.stringify(result));
    return;
  }
  const isExplained = options.explain === true;
  const shown = isExplained ? result.candidates : result.candidates.filter(({ packed }) => packed);
  if (isExplained) context.print(`${understood(result)}\n`);
  for (const candidate of shown) context.print(`${block(candidate, isExplained)}\n`);
  if (result.abstained) context.print('Memory holds nothing certain enough about this.');
  for (const { message } of result.degraded) context.note(`Not everything could be searched: ${message}`);
}

function understood({ intent, terms, relation, considered, duration_ms: ms }: RecallResult): string {
  const asked = relation ? `; relation ${relation.types.join(' or ') || 'any'} of ${relation.anchors.join(', ')}` : '';
  return `Intent ${intent}${asked}; words: ${terms.join(' ')}; ${considered} candidates in ${Math.round(ms)} ms`;
}

function block(
  { uri, title, text, score, parts, reason, threshold, because_of: cause }: RecallCandidate,
  explain: boolean,
): string {
  const head = `${score.toFixed(2)}  ${title === '' ? uri : `${title}  ${uri}`}`;
  if (!explain) return `${head}\n${text.trim()}`;
  const sum = Object.entries(parts)
    .filter(([, part]) => part !== 0)
    .map(([name, part]) => `${name} ${part.toFixed(3)}`)
    .join(' + ');
  const why = [
    reason,
    ...(threshold === undefined ? [] : [`at ${threshold}`]),
    ...(cause === undefined ? [] : [`by ${cause}`]),
  ];
  return `${head}\n      ${sum}\n      ${why.join(' ')}\n${text.trim()}`;
}
