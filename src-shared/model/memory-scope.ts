import { z } from 'zod';

/**
 * Whose memory a reader may see. `all`: the user's own, the agent's and what is shared. `shared`: pages of the agent and
 * of the workspace that are marked `visibility: shared`. `none`: nothing.
 */
export const memoryAccessSchema = z.enum(['all', 'shared', 'none']);
export type MemoryAccess = z.infer<typeof memoryAccessSchema>;

/** Carried by every query of memory and enforced by the store. */
export interface MemoryScope {
  /** One data directory is one account, `local`, unless a backend says otherwise. */
  readonly accountId: string;
  readonly userId: string;
  readonly agentId: string;
  /** Rows that belong to a session are seen only there, unless `otherSessions` says so. */
  readonly sessionUid: string | undefined;
  /** Turns and checkpoints of the user's other sessions with this agent are part of what is searched. */
  readonly otherSessions: boolean;
  readonly access: MemoryAccess;
  /** Labels that are asked for (`domain:code`); pages with other labels only are hidden. Undefined: labels hide nothing. */
  readonly labels: readonly string[] | undefined;
}
