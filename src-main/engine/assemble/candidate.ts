import type { SegmentKind } from '../../../src-shared/model/trace.ts';

/** A message that stands for a stored one. */
export interface StandIn {
  /** JSON text, in the format of the call. */
  readonly body: string;
  readonly contentHash: string;
  readonly tokens: number;
  /** Tokens of what it stands for. */
  readonly wholeTokens: number;
}

/** Something that could be sent to the model, in terms that need neither its body nor its format. */
export interface Candidate {
  /** Unique within the call: `turn:12`, `host:3`, `checkpoint:…`, `turns:1-900`. */
  readonly item: string;
  readonly kind: SegmentKind;
  readonly source: 'host' | 'store' | 'engine';
  readonly role: string;
  /** 1, or the number of turns that a range stands for. */
  readonly count: number;
  readonly tokens: number;
  readonly preview: string;
  readonly uri?: string;
  readonly hostIndex?: number;
  readonly sequence?: number;
  readonly endSequence?: number;
  readonly contentHash?: string;
  /** The message's key; together the keys identify the input and the output of a call. */
  readonly key: string;
  /** Ids of tool calls, letters and digits only, so that a host's rewriting of ids does not part pairs. */
  readonly toolCallIds: readonly string[];
  readonly toolResultFor?: string;
  readonly excluded: boolean;
  readonly blank: boolean;
  /** In the host's list and not in the log. */
  readonly live: boolean;
  /** Tokens of the epoch's conversation before it, whatever of that is looked at; for turns of the conversation. */
  readonly position?: number;
  /** A stored turn that is sent in another format than it is stored in, so that its tokens differ from the log's. */
  readonly restated?: boolean;
  /** What is sent in the place of a large result of an older turn; `tokens` are then those of it. */
  readonly standIn?: StandIn;
  /** Of standing memory: all pages that it repeats. */
  readonly repeats?: readonly string[];
  /** Of standing memory: when it was read (ms since the epoch), and whether it was changed since. */
  readonly asOf?: number;
  readonly changesWaiting?: boolean;
  /** Tokens of a shorter form that can stand in its place: the abstract of a checkpoint whose overview does not fit. */
  readonly shortTokens?: number;
}
