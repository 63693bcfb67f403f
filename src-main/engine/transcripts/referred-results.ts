import { toolResultUrisIn } from '../../../src-shared/model/uri.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { ToolResultLine } from './transcript-lines.ts';

/** Collects the large tool results that exported texts refer to, as far as they are the session's user's. */
export class ReferredResults {
  readonly #store: Pick<SessionStore, 'findToolResult' | 'readBodies'>;
  readonly #userId: string;
  /** Hashes, in the order in which they were named; a Set that grows is walked through to its end. */
  readonly #hashes = new Set<string>();

  constructor(store: Pick<SessionStore, 'findToolResult' | 'readBodies'>, userId: string) {
    this.#store = store;
    this.#userId = userId;
  }

  note(text: string): void {
    for (const uri of toolResultUrisIn(text)) this.#hashes.add(uri.slice(uri.lastIndexOf('/') + 1));
  }

  /** One at a time: each may be ten million characters. What a result itself refers to comes behind it. */
  async *lines(): AsyncIterable<string> {
    for (const hash of this.#hashes) {
      const known = await this.#store.findToolResult(hash, this.#userId);
      const body = known && (await this.#store.readBodies([hash])).get(hash);
      // A text may name what never was, or what somebody else has.
      if (known === undefined || body === undefined) continue;
      this.note(body);
      const line: Omit<ToolResultLine, 'content'> = {
        type: 'tool_result',
        content_hash: hash,
        session_key: known.sessionKey,
        session_id: known.sessionId,
        tool_call_id: known.toolCallId,
        tool_name: known.toolName,
        stored_at: known.storedAt,
      };
      yield `${JSON.stringify(line).slice(0, -1)},"content":${body}}\n`;
    }
  }
}
