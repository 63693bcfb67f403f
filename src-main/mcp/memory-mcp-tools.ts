import type { z } from 'zod';
import {
  memoryForgetRoute,
  memoryRecallRoute,
  memoryStoreRoute,
  type MemoryForgetReply,
  type MemoryRecallReply,
  type MemoryStoreReply,
} from '../../src-shared/protocol/memory-tools.ts';
import type { RouteDefinition } from '../../src-shared/protocol/route.ts';
import { memoryExpandRoute, type MemoryExpandReply } from '../../src-shared/protocol/tools.ts';

/** One tool of the MCP server: a route of the daemon with words for a model. */
export interface MemoryMcpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly route: RouteDefinition & { readonly name: ToolRoute };
  /** Fields of the route that say who asks; the server fills them in, a model must not. */
  readonly hidden: Readonly<Record<string, true>>;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  /** The reply as text, and as data no larger than a model should read. */
  readonly read: (reply: unknown) => { readonly text: string; readonly data: Record<string, unknown> };
}

const caller = { session_id: true, session_key: true, agent_id: true, user_id: true } as const;

type ToolRoute = 'memoryRecall' | 'memoryStore' | 'memoryForget' | 'memoryExpand';

interface Words<R> extends Omit<MemoryMcpTool, 'route' | 'read' | 'hidden'> {
  readonly read: (reply: R) => { text: string; data: Record<string, unknown> };
}

function toolOf<R extends z.ZodType>(
  route: RouteDefinition<z.ZodType, z.ZodType, z.ZodType, R> & { readonly name: ToolRoute },
  words: Words<z.output<R>>,
): MemoryMcpTool {
  const { read, ...rest } = words;
  // What is read was answered by this very route, whose schema says its type.
  return { ...rest, hidden: caller, route, read: (reply) => read(reply as z.output<R>) };
}

export const memoryMcpTools: readonly MemoryMcpTool[] = [
  toolOf(memoryRecallRoute, {
    name: 'memory_recall',
    title: 'Search memory',
    description:
      'Searches long-term memory (pages, earlier messages, summaries) for a question or words. Answers with the best matches, each with its uri, or says that memory holds nothing certain. Ask before you guess what was decided, preferred or said earlier.',
    readOnly: true,
    destructive: false,
    read: ({ text, result }: MemoryRecallReply) => {
      const candidates = result.candidates.filter(({ packed }) => packed);
      return { text, data: { text, result: { ...result, candidates } } };
    },
  }),
  toolOf(memoryStoreRoute, {
    name: 'memory_store',
    title: 'Remember something',
    description:
      'Remembers a fact, preference, decision or rule for later conversations. It is judged first: what is known already, what does not last, and secrets are not stored, and the answer says so. Only what the answer lists as stored is on disk.',
    readOnly: false,
    destructive: false,
    read: (reply: MemoryStoreReply) => ({ text: reply.text, data: { ...reply } }),
  }),
  toolOf(memoryForgetRoute, {
    name: 'memory_forget',
    title: 'Forget something',
    description:
      'Lets a memory stand no longer; this can be undone. With mode "hard" and its title or uri in confirm it is removed for good, which cannot: only where the user asked for exactly that. Words that could mean several pages are answered with the choices, and nothing is forgotten.',
    readOnly: false,
    destructive: true,
    read: (reply: MemoryForgetReply) => ({ text: reply.text, data: { ...reply } }),
  }),
  toolOf(memoryExpandRoute, {
    name: 'memory_expand',
    title: 'Read what stands behind a memory',
    description:
      'Reads the whole of what a uri stands for: the turns behind a summary, a long tool result, a memory page. With a query, the best passages first; next_cursor goes on.',
    readOnly: true,
    destructive: false,
    read: (reply: MemoryExpandReply) => ({ text: JSON.stringify(reply), data: { ...reply } }),
  }),
];
