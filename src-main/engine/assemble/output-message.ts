import { messageKeyText, type HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { sha256 } from '../hash.ts';
import type { NewContent } from '../ports/session-store.ts';

/** One message of the answer: the host's own, by index, or one of ours. */
export interface OutputMessage {
  readonly item: string;
  readonly host: number | undefined;
  /** The host's message that ours is a shortened copy of. */
  readonly replaces?: number | undefined;
  /** JSON text; undefined for the host's own messages where they are only pointed at. */
  readonly body: string | undefined;
  readonly contentHash: string;
  /** Tokens where they differ from the candidate's: trimmed messages. */
  readonly tokens: number | undefined;
  /** Only this call knows the body; what is in the log already is not stored again. */
  readonly isNew: boolean;
}

/** A message that only this call knows. */
export function ours(item: string, body: string): OutputMessage {
  return { item, host: undefined, body, contentHash: sha256(body), tokens: undefined, isNew: true };
}

/** Made once for a message, which may be sent by many calls. */
const contents = new WeakMap<OutputMessage, NewContent>();

/** What the call must store of it: nothing, where the log has it. */
export function newContent(output: OutputMessage): readonly NewContent[] {
  const { isNew, body, contentHash, tokens } = output;
  if (!isNew || body === undefined) return [];
  const known = contents.get(output);
  if (known) return [known];
  const messageKey = sha256(messageKeyText(JSON.parse(body) as HostMessage));
  const content = { contentHash, messageKey, tokens: tokens ?? 0, body };
  contents.set(output, content);
  return [content];
}
