import type {
  CompactParams,
  CompactResult,
  HostCommand,
  HostContextEngine,
  HostHookContext,
  HostHookEvents,
  HostHookName,
  HostPluginApi,
  HostTool,
  HostToolContext,
} from '../host-types.ts';
import type { HostFunctions } from '../engine/create-engine.ts';
import { registerStrata } from '../register-strata.ts';

type Listener = (event: never, context: HostHookContext) => unknown;

/** The host's side of the plugin interface: registers the plugin and calls it as the host does. */
export class ScriptedHost {
  readonly warnings: string[] = [];
  readonly tools: HostTool[] = [];
  /** The session that tools are made for. */
  toolContext: HostToolContext = {};
  version = '2026.9.6';
  readonly commands: HostCommand[] = [];
  readonly delegated: CompactParams[] = [];
  delegate: (params: CompactParams) => Promise<CompactResult> = () =>
    Promise.resolve({ ok: true, compacted: true, reason: 'by the host' });
  readTranscript: ((params: { cursor?: string }) => Promise<unknown>) | undefined;
  readonly #listeners = new Map<HostHookName, Listener[]>();
  #factory: (() => Promise<HostContextEngine>) | undefined;

  /** Registers the plugin once more, as the host does several times in a process. */
  register(config: Record<string, unknown>): void {
    const functions: HostFunctions = {
      delegateCompaction: (params) => {
        this.delegated.push(params);
        return this.delegate(params);
      },
      loadTranscriptReader: () => Promise.resolve(this.readTranscript),
    };
    const api: HostPluginApi = {
      pluginConfig: config,
      logger: { info: () => undefined, error: () => undefined, warn: (message) => this.warnings.push(message) },
      runtime: { version: this.version },
      registerContextEngine: (_id, factory) => {
        this.#factory = factory;
      },
      registerTool: (factory) => this.tools.push(factory(this.toolContext)),
      registerCommand: (command) => this.commands.push(command),
      on: (name, handler) => {
        this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), handler]);
      },
    };
    registerStrata(api, functions);
  }

  /** A new engine instance, as for every turn. */
  async engine(): Promise<HostContextEngine> {
    if (this.#factory === undefined) throw new Error('No context engine was registered');
    return await this.#factory();
  }

  /** Fires a hook; every registration gets the same event object. @returns what the handlers returned */
  async fire<K extends HostHookName>(
    name: K,
    event: HostHookEvents[K],
    context: HostHookContext = {},
  ): Promise<unknown[]> {
    const returned: unknown[] = [];
    for (const listener of this.listenersOf(name)) returned.push(await listener(event as never, context));
    return returned;
  }

  /** Fires a hook whose answers the host takes at once. */
  fireSync<K extends HostHookName>(name: K, event: HostHookEvents[K], context: HostHookContext = {}): unknown[] {
    return this.listenersOf(name).map((listener) => listener(event as never, context));
  }

  listenersOf(name: HostHookName): readonly Listener[] {
    return this.#listeners.get(name) ?? [];
  }
}
