import { createEngine, type HostFunctions } from './engine/create-engine.ts';
import { delegateCompaction } from './engine/delegate-compaction.ts';
import { loadTranscriptReader } from './engine/load-transcript-reader.ts';
import { registerHooks } from './hooks/register-hooks.ts';
import type { HostPluginApi } from './host-types.ts';
import { memoryExpandTool } from './memory-expand-tool.ts';
import { memoryToolNames, memoryTools } from './tools/memory-tools.ts';
import { createPluginRuntime } from './plugin-runtime.ts';
import { strataCommand } from './strata-command.ts';

const hostFunctions: HostFunctions = { delegateCompaction, loadTranscriptReader };

/**
 * Registers the engine, the tool, the command and the hooks. The host calls this two to four times per process, with
 * separate module scopes, and again after a reload: nothing is opened here, and registering again is harmless.
 */
export function registerStrata(api: HostPluginApi, host: HostFunctions = hostFunctions): void {
  const version = api.runtime?.version;
  const runtime = createPluginRuntime(api.pluginConfig, api.logger, typeof version === 'string' ? version : undefined);
  const optional = (what: string, register: () => void): void => {
    try {
      register();
    } catch (error) {
      // A host that refuses one of these, or has it from before, still gets the engine.
      api.logger.debug?.(`[strata] ${what} was not registered: ${String(error)}`);
    }
  };
  optional('The context engine', () => {
    api.registerContextEngine('strata', () => createEngine(runtime, host));
  });
  optional('The tool memory_expand', () => {
    api.registerTool?.((context) => memoryExpandTool(runtime, context), { name: 'memory_expand' });
  });
  memoryToolNames.forEach((name, index) => {
    optional(`The tool ${name}`, () => {
      // The host asks for each by its name, and makes it for a session.
      api.registerTool?.((context) => memoryTools(runtime, context)[index] ?? memoryExpandTool(runtime, context), {
        name,
      });
    });
  });
  optional('The command /strata', () => api.registerCommand?.(strataCommand(runtime)));
  registerHooks(api, runtime);
}
