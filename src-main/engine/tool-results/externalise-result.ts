import { toolResultUri } from '../../../src-shared/model/uri.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import type { ToolResultReply, ToolResultRequest } from '../../../src-shared/protocol/tool-result.ts';
import { expandToolName, type ResultLimits } from '../../../src-shared/synopsis/large-result.ts';
import { readResultContent } from '../../../src-shared/synopsis/result-content.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { resolveIdentity } from '../turns/resolve-identity.ts';
import { countResult } from './count-result.ts';

/**
 * Stores a large tool result whole and answers what stands for it. Durable when it resolves; the same result again is
 * answered the same and stored once.
 */
export async function externaliseResult(
  request: ToolResultRequest,
  parts: Pick<EngineParts, 'store' | 'clock' | 'config' | 'stubs'>,
  counter: TokenCounter,
): Promise<ToolResultReply> {
  const { store, clock, config, stubs } = parts;
  const limits = limitsOf(config.tool_results);
  const content = request.message['content'];
  const { text } = readResultContent(content);
  const toolName = request.tool_name || nameIn(request.message);
  const {
    body,
    contentHash,
    estimatedTokens,
    stub: replacement,
  } = await stubs.digest({ content, toolName, ...limits });
  const uri = toolResultUri(contentHash);
  const facts = { characters: text.length, ...(await countResult(text, counter, () => estimatedTokens)) };
  const reason = request.replaced ? undefined : whyNot(request, toolName, text, limits, replacement);
  if (reason !== undefined) return { externalised: false, reason, ...facts };
  const identity = resolveIdentity({ ...request, session_id: request.session_id ?? '' }, config.user_id);
  await store.putToolResult({
    contentHash,
    userId: identity.userId,
    sessionKey: identity.sessionKey,
    sessionId: identity.sessionId,
    toolCallId: request.tool_call_id,
    toolName,
    storedAt: clock.now(),
    body,
    tokens: facts.tokens,
  });
  return { externalised: true, ...(replacement === undefined ? {} : { replacement }), uri, ...facts };
}

export function limitsOf(config: {
  readonly threshold_characters: number;
  readonly synopsis_characters: number;
}): ResultLimits {
  return { thresholdCharacters: config.threshold_characters, synopsisCharacters: config.synopsis_characters };
}

function whyNot(
  request: ToolResultRequest,
  toolName: string,
  text: string,
  limits: ResultLimits,
  replacement: string | undefined,
): string | undefined {
  if (request.message['isError'] === true) return 'error_result';
  if (toolName === expandToolName) return 'expand_result';
  if (text.length <= limits.thresholdCharacters) return 'below_threshold';
  return replacement === undefined ? 'no_shorter' : undefined;
}

function nameIn(message: HostMessage): string {
  const name = message['toolName'] ?? message['name'];
  return typeof name === 'string' ? name : '';
}
