import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { checkpointRoute } from '../../../src-shared/protocol/checkpoints.ts';
import { memoryExpandRoute, type MemoryExpandReply } from '../../../src-shared/protocol/tools.ts';
import type { CliContext } from '../cli-context.ts';
import { formatCount } from '../format.ts';

export interface ExpandOptions {
  readonly query?: string;
  readonly limit: number;
  readonly range?: string;
  /** Tokens. */
  readonly maxTokens?: number;
  readonly cursor?: string;
  readonly user?: string;
}

/**
 * Shows what stands behind a summary, a synopsis or a turn, as the agent's tool memory_expand does.
 * @param name a URI, or the id of a checkpoint as "checkpoints" lists it
 */
export async function expandCommand(context: CliContext, name: string, options: ExpandOptions): Promise<void> {
  const reply = await context.client.call(memoryExpandRoute, {
    body: {
      uri: name.startsWith('ckpt_') ? await uriOfCheckpoint(context, name) : name,
      query: options.query,
      limit: options.limit,
      range: options.range,
      max_tokens: options.maxTokens,
      cursor: options.cursor,
      user_id: options.user,
    },
  });
  if (context.json) {
    context.print(JSON.stringify(reply));
    return;
  }
  for (const block of blocksOf(reply)) context.print(`${block}\n`);
  if (reply.turns.length + reply.passages.length + reply.parts.length === 0) context.print('Nothing of it was found.');
  if (reply.next_cursor !== undefined) {
    context.note(`There is more. Repeat the command with --cursor ${reply.next_cursor}`);
  }
}

async function uriOfCheckpoint(context: CliContext, id: string): Promise<string> {
  const { checkpoint } = await context.client.call(checkpointRoute, { params: { id } });
  if (checkpoint.summary_uri !== undefined) return checkpoint.summary_uri;
  throw new EngineError(
    'unknown_uri',
    `The checkpoint ${id} has no URI; "npm run strata -- checkpoints show ${id}" prints what it says.`,
  );
}

function blocksOf(reply: MemoryExpandReply): string[] {
  const { result, parts, turns, passages } = reply;
  return [
    ...(result
      ? [
          `Result of ${result.tool_name || 'a tool'}: ${result.kind === undefined ? '' : `${result.kind}, `}${formatCount(result.characters)} characters in ${formatCount(result.lines)} lines`,
        ]
      : []),
    ...parts.map((part) => `Turns ${part.start_sequence}–${part.end_sequence}: ${part.uri}\n${part.abstract}`),
    ...turns.map(
      (turn) => `${turn.role}, turn ${turn.sequence}${turn.truncated ? ' (a part)' : ''}: ${turn.uri}\n${turn.text}`,
    ),
    ...passages.map((passage) => `Lines ${passage.start_line}–${passage.end_line}:\n${passage.text}`),
    ...(reply.read_uris.length > 0 ? [`Can be read whole:\n${reply.read_uris.join('\n')}`] : []),
  ];
}
