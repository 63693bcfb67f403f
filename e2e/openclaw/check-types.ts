import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.ts';
import type { HostInstall } from './install-host.ts';

const repository = join(import.meta.dirname, '..', '..');

/**
 * Checks the host types that the plugin wrote down against the real package: what the host passes must be what the
 * plugin expects, what the plugin returns must be what the host expects. Messages are left out on both sides: the
 * plugin takes them as plain objects on purpose.
 * @returns what the compiler complains about
 */
export async function checkPluginTypes(install: HostInstall, directory: string): Promise<string> {
  mkdirSync(directory, { recursive: true });
  symlinkSync(join(install.dir, 'node_modules'), join(directory, 'node_modules'), 'dir');
  const own = join(repository, 'src-plugin', 'host-types.ts');
  writeFileSync(join(directory, 'check.ts'), checkText(own));
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'ES2024',
        module: 'ESNext',
        moduleResolution: 'bundler',
        lib: ['ES2024', 'DOM', 'DOM.AsyncIterable'],
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        preserveSymlinks: false,
        typeRoots: [join(repository, 'node_modules', '@types')],
        types: ['node'],
      },
      files: ['check.ts'],
    }),
  );
  const tsc = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
  const { output } = await runChild(process.execPath, [tsc, '-p', directory], { env: process.env });
  return output.trim();
}

function checkText(ownTypes: string): string {
  return `
import { definePluginEntry, type OpenClawPluginApi } from 'openclaw/plugin-sdk/plugin-entry';
import type * as own from ${JSON.stringify(ownTypes)};

type Engine = Awaited<ReturnType<Parameters<OpenClawPluginApi['registerContextEngine']>[1]>>;
type Messages = 'messages' | 'message';
type Passed<M extends keyof Engine> = NonNullable<Engine[M]> extends (params: infer P) => unknown ? Omit<P, Messages> : never;
type Returned<M extends keyof Engine> = NonNullable<Engine[M]> extends (...params: never[]) => Promise<infer R> ? R : never;
type OwnReturned<M extends keyof own.HostContextEngine> = own.HostContextEngine[M] extends (...params: never[]) => Promise<infer R> ? R : never;
const give = <T>(): T => undefined as T;

// The host passes what the plugin expects.
export const bootstrap: Omit<own.BootstrapParams, Messages> = give<Passed<'bootstrap'>>();
export const ingest: Omit<own.IngestParams, Messages> = give<Passed<'ingest'>>();
export const ingestBatch: Omit<own.IngestBatchParams, Messages> = give<Passed<'ingestBatch'>>();
export const afterTurn: Omit<own.AfterTurnParams, Messages> = give<Passed<'afterTurn'>>();
export const commitTurn: Omit<own.CommitTurnParams, Messages> = give<Passed<'commitTurn'>>();
export const assemble: Omit<own.AssembleParams, Messages> = give<Passed<'assemble'>>();
export const compact: Omit<own.CompactParams, Messages> = give<Passed<'compact'>>();
export const maintain: Omit<own.MaintainParams, Messages> = give<Passed<'maintain'>>();
export const spawn: own.SubagentSpawnParams = give<Passed<'prepareSubagentSpawn'>>();
export const ended: own.SubagentEndedParams = give<Passed<'onSubagentEnded'>>();

// The plugin returns what the host expects.
export const info: Engine['info'] = give<own.HostContextEngine['info']>();
export const assembled: Omit<Returned<'assemble'>, Messages> = give<Omit<OwnReturned<'assemble'>, Messages>>();
export const compacted: Returned<'compact'> = give<OwnReturned<'compact'>>();
export const committed: Returned<'commitTurn'> = give<OwnReturned<'commitTurn'>>();
export const bootstrapped: Returned<'bootstrap'> = give<OwnReturned<'bootstrap'>>();
export const ingested: Returned<'ingest'> = give<OwnReturned<'ingest'>>();
export const ingestedBatch: Returned<'ingestBatch'> = give<OwnReturned<'ingestBatch'>>();
export const maintained: Returned<'maintain'> = give<OwnReturned<'maintain'>>();
export const spawned: Returned<'prepareSubagentSpawn'> = give<OwnReturned<'prepareSubagentSpawn'>>();

// Hooks, tool, command, entry.
export function hooks(api: OpenClawPluginApi): void {
  api.on('session_start', (event) => void (event satisfies own.HostHookEvents['session_start']));
  api.on('session_end', (event) => void (event satisfies own.HostHookEvents['session_end']));
  api.on('before_reset', (event, context) => void (event satisfies own.HostHookEvents['before_reset'], context satisfies own.HostHookContext));
  api.on('model_call_started', (event, context) => void (event satisfies own.HostHookEvents['model_call_started'], context satisfies own.HostHookContext));
  api.on('llm_input', (event) => void (event satisfies own.HostHookEvents['llm_input']));
  api.on('llm_output', (event, context) => void (event satisfies own.HostHookEvents['llm_output'], context satisfies own.HostHookContext));
  api.on('before_message_write', (event) => void (event satisfies Omit<own.HostHookEvents['before_message_write'], Messages>));
  api.on('message_received', (event) => void (event satisfies own.HostHookEvents['message_received']));
  api.on('before_model_resolve', (event, context) => void (event satisfies own.HostHookEvents['before_model_resolve'], context satisfies own.HostHookContext));
  api.on('before_prompt_build', (event) => (event satisfies own.HostHookEvents['before_prompt_build'], give<own.HostHookAnswer<'before_prompt_build'>>()));
  api.registerTool((context) => (context satisfies own.HostToolContext, give<own.HostTool>() as own.HostTool & { parameters: never }), { name: 'x' });
  api.registerCommand(give<own.HostCommand>());
}
const logger: own.HostLogger = give<OpenClawPluginApi['logger']>();
const config: own.HostPluginApi['pluginConfig'] = give<OpenClawPluginApi['pluginConfig']>();
export default definePluginEntry({ id: 'strata', name: 'Strata', description: '', register: () => void [logger, config] });
`;
}
