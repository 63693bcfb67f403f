import type { CompactReply } from '../../src-shared/protocol/compact.ts';
import type { BenchDaemon } from '../../bench/daemon-process.ts';
import { nextAdvancement, type Conversation } from './conversation.ts';

export interface Load {
  /** Resolves with the first answer, when the daemon has warmed up, or when it is gone. */
  readonly begun: Promise<unknown>;
  /** Compactions that were asked for and not answered at this moment. */
  readonly inFlight: () => number;
  /** Compactions that were answered with a checkpoint. */
  readonly compacted: () => number;
  /** Resolves when every request has failed or was answered. */
  readonly over: Promise<void>;
}

/** Keeps a daemon busy with turns and compactions in every conversation until it is gone. */
export function startLoad(daemon: BenchDaemon, conversations: readonly Conversation[]): Load {
  let inFlight = 0;
  let compacted = 0;
  const failures: unknown[] = [];
  const begun = Promise.withResolvers<void>();
  const converse = async (conversation: Conversation): Promise<void> => {
    const { session_id, session_key } = conversation;
    for (;;) {
      const advancement = (conversation.pending ??= nextAdvancement(conversation));
      await daemon.post('/v1/commit-turn', {
        session_id,
        session_key,
        format: 'openclaw',
        advancement_key: advancement.key,
        messages: advancement.messages,
      });
      conversation.acknowledged.push(advancement);
      conversation.pending = undefined;
      begun.resolve();
    }
  };
  const compact = async ({ session_id, session_key, acknowledged }: Conversation): Promise<void> => {
    // The session must be there.
    while (acknowledged.length === 0 && failures.length === 0) await pause(5);
    while (failures.length === 0) {
      inFlight += 1;
      const body = { session_id, session_key, trigger: 'manual', force: true, token_budget: 4_000 };
      const reply = (await daemon.post('/v1/compact', body)) as CompactReply;
      inFlight -= 1;
      compacted += reply.compacted ? 1 : 0;
      if (!reply.ok) throw new Error(`A compaction failed: ${reply.reason}`);
      await pause(Math.random() * 30);
    }
  };
  const noted = (work: Promise<void>): Promise<void> => work.catch((error: unknown) => void failures.push(error));
  const all = conversations.flatMap((one, index) => [
    noted(converse(one)),
    // The others are compacted by their triggers alone.
    ...(index % 2 === 0 ? [noted(compact(one))] : []),
  ]);
  const over = Promise.all(all);
  return {
    begun: Promise.race([begun.promise, over]),
    inFlight: () => inFlight,
    compacted: () => compacted,
    over: over.then(() => {
      const real = failures.filter((error) => !isConnectionLost(error));
      if (real.length > 0) throw real[0];
    }),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What the death of the daemon looks like from outside; everything else is a failure of its own. */
function isConnectionLost(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^E(CONNRESET|CONNREFUSED|PIPE)$/.test(code) || /socket hang up|aborted/.test(String(error));
}
