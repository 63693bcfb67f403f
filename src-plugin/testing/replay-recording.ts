import type { HostContextEngine, HostHookName } from '../host-types.ts';
import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import type { RecordedCall } from './recordings.ts';
import type { ScriptedHost } from './scripted-host.ts';

export interface ReplayedAssemble {
  readonly given: HostMessage[];
  readonly returned: HostMessage[];
}

/** Calls the plugin as the recorded host did, with copies of what it passed. Fails if any call throws. */
export async function replayRecording(host: ScriptedHost, calls: readonly RecordedCall[]): Promise<ReplayedAssemble[]> {
  const assembles: ReplayedAssemble[] = [];
  let engine: HostContextEngine | undefined;
  for (const call of calls) {
    const params = structuredClone(call.payload);
    if (call.kind === 'hook') {
      await host.fire(call.name as HostHookName, params as never, call.context ?? {});
      continue;
    }
    if (call.name === 'factory') engine = await host.engine();
    if (call.name === 'factory' || call.name === 'visibleDelta') continue;
    if (engine === undefined) throw new Error('The recording calls an engine before it made one');
    if (call.name === 'assemble') {
      const availableTools = new Set((params['availableTools'] ?? []) as string[]);
      const given = params.messages ?? [];
      const result = await engine.assemble({ ...params, availableTools } as never);
      assembles.push({ given, returned: result.messages });
      continue;
    }
    // The recorded names are those of the engine's methods, and their parameters are the host's.
    const methods = engine as unknown as Readonly<Record<string, (params: unknown) => Promise<unknown>>>;
    await methods[call.name]?.(params);
  }
  return assembles;
}
