import type { BenchDaemon } from './daemon-process.ts';
import { workload } from './workload.ts';

export const benchSession = { session_id: 'bench', session_key: 'agent:main:bench', agent_id: 'main' } as const;

const batch = 2_000;

/** Stores messages `from`…`to` of the workload in the bench session. */
export async function fillSession(daemon: BenchDaemon, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += batch) {
    const messages = workload(start, Math.min(to, start + batch));
    await daemon.post('/v1/ingest', { ...benchSession, format: 'openclaw', messages });
  }
}
