import type { HostMessage } from '../../../../src-shared/protocol/host-message.ts';
import { readMessage } from '../../messages/read-message.ts';
import type { MessageView } from '../../messages/message-view.ts';
import type { SessionRow, TurnMeta } from '../../ports/session-store.ts';
import { audienceOf } from '../scope-of.ts';

/** Only where the user alone speaks: in groups nobody knows whose words they are, sub-agents and schedules have none. */
export function makesMemories({
  sessionKey,
  parentSessionKey,
}: Pick<SessionRow, 'sessionKey' | 'parentSessionKey'>): boolean {
  return audienceOf(sessionKey) === 'direct' && parentSessionKey === undefined;
}

/** A turn that may have the user's own words in it, by what is known without its body. */
export function mayBeUsers({ role, heartbeat, excluded }: Pick<TurnMeta, 'role' | 'heartbeat' | 'excluded'>): boolean {
  return role === 'user' && !heartbeat && !excluded;
}

/** What the user wrote in a message; empty where the host itself wrote it. */
export function userWords(body: HostMessage, format: TurnMeta['format']): string {
  const view = readMessage(body, format, 0);
  if (view.role !== 'user' || view.kind !== 'message' || view.excluded || isOfHost(body)) return '';
  const text = textOf(view);
  return hostText.test(text) ? '' : text.replace(envelope, '');
}

/** What a message says, without tools and thinking. */
export function textOf(view: MessageView): string {
  return view.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** OpenClaw marks what it writes in the user's name: heartbeats, messages between sessions, announcements. */
function isOfHost(body: HostMessage): boolean {
  const provenance: unknown = body['provenance'];
  if (typeof provenance !== 'object' || provenance === null || !('kind' in provenance)) return false;
  return provenance.kind === 'internal_system' || provenance.kind === 'inter_session';
}

const hostText =
  /^\s*(?:\[OpenClaw heartbeat|\[cron:|\[Subagent|\[System|System:|HEARTBEAT|A scheduled (?:reminder|task)|Read HEARTBEAT\.md)/i;

/** "[Telegram Ann 2026-11-02 09:00 UTC] …": who spoke when, put before the words by channels. */
const envelope = /^\s*\[[^\]\n]{0,120}\d{1,2}:\d\d[^\]\n]{0,60}\]\s*/;
