import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { compactRoute } from '../../../src-shared/protocol/compact.ts';
import type { CliContext } from '../cli-context.ts';
import { findSession } from '../find-session.ts';
import { formatCount } from '../format.ts';

export interface CompactOptions {
  /** Tokens. */
  readonly budget?: number;
  readonly instructions?: string;
}

/** Archives the older turns of a session into a checkpoint, as /compact does. */
export async function compactCommand(context: CliContext, id: string, options: CompactOptions): Promise<boolean> {
  const session = await findSession(context, id);
  const reply = await context.client.call(
    compactRoute,
    {
      body: {
        session_id: session.session_id,
        session_key: session.session_key,
        agent_id: session.agent_id,
        user_id: session.user_id,
        trigger: 'manual',
        force: true,
        token_budget: options.budget,
        custom_instructions: options.instructions,
      },
    },
    { timeoutMs: 180_000 },
  );
  if (context.json) {
    context.print(JSON.stringify(reply));
    return reply.ok;
  }
  if (!reply.ok) {
    throw new EngineError(
      'strategy_failed',
      `The compaction failed (${reply.reason ?? 'no reason given'}). All turns are as they were; "npm run strata -- doctor" may say more.`,
    );
  }
  const before = formatCount(reply.tokens_before);
  if (reply.compacted) {
    context.print(
      `Compacted: ${before} → ${formatCount(reply.tokens_after)} tokens, checkpoint ${reply.checkpoint_id ?? '?'}.`,
    );
  } else {
    context.print(
      `Nothing was compacted (${reply.reason ?? 'no reason given'}); the context stays at ${before} tokens.`,
    );
  }
  return true;
}
