import type { TurnRecord } from '../../src-shared/model/turn-envelope.ts';
import { ClientError } from '../client/client-error.ts';
import type { EngineClient } from '../client/engine-client.ts';

/** One turn of a session with the host's original message. @throws ClientError */
export async function readStoredTurn(
  client: Pick<EngineClient, 'call'>,
  uid: string,
  sequence: number,
): Promise<TurnRecord> {
  const query = { sequence, raw: 'true', limit: 1 } as const;
  const page = await client.call('sessionTurns', { params: { id: uid }, query });
  const record = page.items.find((item) => item.turn.sequence === sequence);
  if (record !== undefined) return record;
  throw new ClientError('not_found', `Turn ${sequence} of this session is not in the log.`);
}
