import { hash } from 'node:crypto';
import { toolResultUri } from '../../src-shared/model/uri.ts';
import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import { defaultSynopsisCharacters, expandToolName } from '../../src-shared/synopsis/large-result.ts';
import { readResultContent, resultBody } from '../../src-shared/synopsis/result-content.ts';
import { isResultStub, resultStub } from '../../src-shared/synopsis/result-stub.ts';
import type { ToolResultBody } from '../daemon/plugin-routes.ts';
import type { HostHookContext, HostHookEvents } from '../host-types.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { toolCallKey } from './capture-tool-result.ts';

/** Larger results stay as they are, and the host cuts them: the host waits while one is written (characters). */
const largestCharacters = 20_000_000;

/** So many characters at the start of what the host will write must be those of what the tool gave. */
const comparedCharacters = 500;

/**
 * Decides what the host writes into its transcript for a tool result. A large one goes whole into the spool (on disk when
 * this returns, and delivered to the daemon right after), and a synopsis with its address takes its place. Images stay.
 * Must stay synchronous. Never throws.
 * @returns undefined to leave the message as it is; also whenever the whole could not be made durable
 */
export function replaceToolResult(
  runtime: PluginRuntime,
  event: HostHookEvents['tool_result_persist'],
  context: HostHookContext,
): { message: HostMessage } | undefined {
  try {
    return replaced(runtime, event, context);
  } catch (error) {
    runtime.warn(`A large tool result stays in the context, since it could not be stored: ${String(error)}`, 'results');
    return undefined;
  }
}

function replaced(
  runtime: PluginRuntime,
  event: HostHookEvents['tool_result_persist'],
  { sessionKey }: HostHookContext,
): { message: HostMessage } | undefined {
  const { config, shared, spool } = runtime;
  const { message } = event;
  const toolName = textOf(event.toolName ?? message['toolName']);
  if (!config.externaliseToolResults || !config.autoCapture || event.isSynthetic === true) return undefined;
  if (message['role'] !== 'toolResult' || message['isError'] === true || toolName === expandToolName) return undefined;
  const toolCallId = textOf(event.toolCallId ?? message['toolCallId']);
  const key = toolCallKey(sessionKey, toolCallId);
  const captured = shared.wholeResults.get(key);
  shared.wholeResults.delete(key);
  const shown = readResultContent(message['content']);
  if (isResultStub(shown.text)) return undefined;
  const content = isWholeOf(captured, shown.text) ? captured : message['content'];
  const { text } = readResultContent(content);
  if (text.length <= config.toolResultThresholdChars || text.length > largestCharacters) return undefined;
  const uri = toolResultUri(hash('sha256', resultBody(content), 'hex'));
  const limits = { synopsisCharacters: defaultSynopsisCharacters };
  const stub = resultStub({ uri, toolName, text, imagesLeftOut: 0, ...limits });
  if (stub === undefined) return undefined;
  // Throws when the disk does not take it; then nothing is replaced.
  spool.appendNow('/v1/tool-result', {
    ...identityOf(runtime, sessionKey),
    format: 'openclaw',
    tool_name: toolName,
    tool_call_id: toolCallId,
    message: { role: 'toolResult', toolName, content },
    replaced: true,
  } satisfies ToolResultBody);
  deliverSoon(runtime);
  const written = { ...message, content: [{ type: 'text', text: stub }, ...shown.images] };
  shared.replacedResults.set(key, written);
  return { message: written };
}

function identityOf({ shared, config }: PluginRuntime, sessionKey: string | undefined): Partial<ToolResultBody> {
  const sessionId = shared.sessionIds.get(sessionKey ?? '');
  const agent = /^agent:([^:]+):/.exec(sessionKey ?? '')?.[1] ?? config.agentId;
  return {
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    ...(sessionKey === undefined ? {} : { session_key: sessionKey }),
    ...(agent === undefined ? {} : { agent_id: agent }),
  };
}

/** Whether what was captured is what the host is about to write, uncut: another plugin may have changed it since. */
function isWholeOf(captured: unknown, shown: string): boolean {
  if (captured === undefined) return false;
  const { text } = readResultContent(captured);
  return text.length >= shown.length && text.slice(0, comparedCharacters) === shown.slice(0, comparedCharacters);
}

/** The daemon has it before the turn that names it. Who ends an engine waits for it a little; see HostEventOutbox. */
function deliverSoon({ spool, config, shared }: PluginRuntime): void {
  const sending: Promise<void> = spool
    .deliver(config.storeTimeoutMs)
    .then(() => undefined)
    .finally(() => shared.sending.delete(sending));
  shared.sending.add(sending);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
