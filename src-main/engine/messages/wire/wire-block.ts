/** One piece of a message as every provider knows it, in its own words. */
export type WireBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'image_url'; readonly url: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly args: unknown }
  | {
      readonly type: 'result';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
    };

/** A message of the list that was sent, and which item of the call it is. */
export interface WireMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly blocks: readonly WireBlock[];
  readonly item: string;
  /** In the list; undefined for what stands before it. */
  readonly position: number | undefined;
}
