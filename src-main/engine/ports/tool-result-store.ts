/** Whose a tool result is, and of which call. Empty texts where the host gave none. */
export interface StoredToolResult {
  /** Hex SHA-256 of the result's content as JSON text; its body is stored once under it. */
  readonly contentHash: string;
  readonly userId: string;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** Milliseconds since the Unix epoch. */
  readonly storedAt: number;
}

export interface NewToolResult extends StoredToolResult {
  /** The content as JSON text. */
  readonly body: string;
  readonly tokens: number;
}

/** What is sent in the place of a large result of an older turn. */
export interface StoredStandIn {
  readonly contentHash: string;
  readonly tokens: number;
  /** The message as JSON text. */
  readonly body: string;
}

export interface NewStandIn {
  /** Hex SHA-256 of all that it depends on. */
  readonly key: string;
  /** Undefined: the result is sent as it is. */
  readonly content: (StoredStandIn & { readonly messageKey: string }) | undefined;
}

/** Large tool results stored outside the log. What was put is never deleted. */
export interface ToolResultStore {
  /** Durable when it resolves. The same result of the same call again is `duplicate`, and changes nothing. */
  putToolResult(result: NewToolResult): Promise<'stored' | 'duplicate'>;
  /** The newest call of this user that gave this content; undefined where none did, whoever else has it. */
  findToolResult(contentHash: string, userId: string): Promise<StoredToolResult | undefined>;
  /** By key; null where a result is sent as it is, absent where nothing is known (any more). */
  findStandIns(keys: readonly string[]): Promise<ReadonlyMap<string, StoredStandIn | null>>;
  /** What was made once and can be made again: a power cut, or pruning, may take it. */
  putStandIns(standIns: readonly NewStandIn[]): Promise<void>;
}
