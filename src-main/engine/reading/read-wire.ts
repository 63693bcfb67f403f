import type { AssembleTrace } from '../../../src-shared/model/trace.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import type { WireFormat, WireReply } from '../../../src-shared/protocol/wire.ts';
import { readWireBlocks } from '../messages/wire/read-wire-blocks.ts';
import type { WireMessage } from '../messages/wire/wire-block.ts';
import { writeWire } from '../messages/wire/write-wire.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { readCallMessages } from './call-messages.ts';

const note =
  'The host makes the final request: it adds its own system prompt, tools and time stamps. This is what the list of this call becomes by the rules of the provider’s format.';

/** The messages of a recorded call as a provider's format has them. */
export async function readWire(
  trace: AssembleTrace,
  format: WireFormat,
  store: Pick<SessionStore, 'readBodies'>,
): Promise<WireReply> {
  const { messages, missing } = await readCallMessages(trace, store);
  const addition = trace.system_prompt_addition ?? '';
  const ahead: WireMessage[] =
    addition === ''
      ? []
      : [
          {
            role: 'system',
            blocks: [{ type: 'text', text: addition }],
            item: aheadItem(trace),
            position: undefined,
          },
        ];
  const sent = messages.map(({ item, message }, position): WireMessage => ({
    // A body that a call named was a message of the host or of ours.
    ...readWireBlocks(message as HostMessage, trace.format),
    item,
    position,
  }));
  const written = writeWire([...ahead, ...sent], format);
  const gone = missing.map((item) => ({ item, why: 'Its body is no longer stored.' }));
  return { format, ...written, left_out: [...written.left_out, ...gone], note };
}

/** The addition is one text of several items; it goes by the first of them. */
function aheadItem({ items, output }: AssembleTrace): string {
  const inList = new Set(output.map(({ item }) => item));
  const ahead = items.find(({ item, source, role }) => source === 'engine' && role === 'system' && !inList.has(item));
  return ahead?.item ?? 'system-addition';
}
