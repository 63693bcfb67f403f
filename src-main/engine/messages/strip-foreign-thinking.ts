import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { isRecord } from './read-fields.ts';

/**
 * An OpenClaw assistant message without reasoning, where the model that is called now is not the one that reasoned:
 * providers refuse each other's signatures. Messages of the same model, or with unknown models, stay as they are.
 */
export function stripForeignThinking(message: HostMessage, model: string | undefined): HostMessage {
  const content = message['content'];
  const own = message['model'];
  if (model === undefined || typeof own !== 'string' || sameModel(own, model) || !Array.isArray(content))
    return message;
  if (!content.some((part) => isRecord(part) && part['type'] === 'thinking')) return message;
  return { ...message, content: content.filter((part) => !isRecord(part) || part['type'] !== 'thinking') };
}

/** Hosts name models with and without the provider before them. */
function sameModel(a: string, b: string): boolean {
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}
