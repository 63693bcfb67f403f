/** A host's message; `host-message.ts` re-exports this file, so its type is not imported back. */
type HostMessage = Readonly<Record<string, unknown>>;

/**
 * The text that a message's key is the SHA-256 of: who said what and when, in one fixed form, so that one message has
 * one key in the list before the model call, in the turn that is committed and in the transcript. Left out is what
 * hosts rewrite after the fact, as recorded on three generations: usage (zeroed by a compaction), run ids and sender
 * marks, details of tool results, the punctuation of tool call ids (`call_4` comes back as `call4`), and whether a
 * text stands alone or in a list.
 */
export function messageKeyText(message: HostMessage): string {
  return JSON.stringify([
    message['role'],
    message['timestamp'] ?? null,
    contentKey(message['content']),
    bareId(message['toolCallId'] ?? message['tool_call_id']),
    Array.isArray(message['tool_calls']) ? message['tool_calls'].map(openAiCallKey) : null,
    // Roles that carry no content of their own: bash executions, summaries.
    message['content'] === undefined ? otherFields(message) : null,
    saidBeside.map((name) => message[name] ?? null),
  ]);
}

/** What a message says in fields beside its content. */
const saidBeside = ['isError', 'name', 'toolName', 'refusal', 'function_call', 'audio'] as const;

/** Tool call ids as they compare equal across a host's rewriting: letters and digits only. */
export function bareId(id: unknown): string | null {
  return typeof id === 'string' ? id.replace(/[^\p{L}\p{N}]/gu, '') || id : null;
}

function contentKey(content: unknown): unknown {
  if (typeof content === 'string') return [['text', content]];
  return Array.isArray(content) ? content.map(partKey) : { content: content ?? null };
}

function partKey(part: unknown): unknown {
  // A part that is no object must not look like one of the forms below.
  if (typeof part !== 'object' || part === null || !('type' in part)) return { part };
  const fields = part as Readonly<Record<string, unknown>>;
  switch (fields['type']) {
    case 'text':
      return ['text', fields['text'], ...signature(fields['textSignature'])];
    case 'thinking':
      return ['thinking', fields['thinking'], ...signature(fields['thinkingSignature'])];
    case 'toolCall':
      return ['toolCall', bareId(fields['id']), fields['name'], fields['arguments']];
    default:
      return part;
  }
}

/** Signatures stand for content that only the provider can read. */
function signature(value: unknown): readonly unknown[] {
  return value === undefined ? [] : [value];
}

function openAiCallKey(call: unknown): unknown {
  if (typeof call !== 'object' || call === null) return call;
  const { id, ...rest } = call as Readonly<Record<string, unknown>>;
  return [bareId(id), rest];
}

function otherFields(message: HostMessage): unknown {
  return Object.entries(message).filter(([name]) => !volatileKeys.has(name));
}

const volatileKeys: ReadonlySet<string> = new Set([
  'usage',
  '__openclaw',
  'diagnostics',
  'openclawDelivery',
  'tool_calls',
]);
