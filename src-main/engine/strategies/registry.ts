import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../../../src-shared/model/config.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { SessionRow } from '../ports/session-store.ts';
import { sessionKindOf } from '../turns/resolve-identity.ts';
import type { ContextEngine, ContextEngineFactory } from './context-engine.ts';
import { createLegacyStrategy } from './legacy.ts';
import { createLongTaskStrategy } from './long-task.ts';
import { createRollingStrategy } from './rolling.ts';
import { createSemanticStrategy } from './semantic.ts';
import { createStrataStrategy } from './strata.ts';

/** Strategies by name. Built-in ones are always there; custom ones are loaded from the configured modules on first use. */
export class StrategyRegistry {
  readonly #config: Config['strategy'];
  readonly #dataDir: string;
  readonly #factories = new Map<string, ContextEngineFactory>();
  readonly #engines = new Map<string, Promise<ContextEngine>>();

  constructor(config: Config['strategy'], dataDir: string) {
    this.#config = config;
    this.#dataDir = dataDir;
    this.register('strata', createStrataStrategy);
    this.register('semantic', createSemanticStrategy);
    this.register('rolling', createRollingStrategy);
    this.register('long-task', createLongTaskStrategy);
    this.register('legacy', createLegacyStrategy);
  }

  /** A later registration under the same name takes its place. */
  register(name: string, factory: ContextEngineFactory): void {
    this.#factories.set(name, factory);
    this.#engines.delete(name);
  }

  /** The strategy's name for a session: by agent, else by kind of session, else the default. */
  nameFor(session: Pick<SessionRow, 'agentId' | 'sessionKey'>): string {
    const { agents, session_kinds: kinds } = this.#config;
    // Agents may be called like members of objects ("constructor").
    const byAgent = Object.hasOwn(agents, session.agentId) ? agents[session.agentId] : undefined;
    return byAgent ?? kinds[sessionKindOf(session.sessionKey)] ?? this.#config.default;
  }

  /** @throws EngineError `strategy_failed` when there is no such strategy, or its module cannot be used. */
  async get(name: string): Promise<ContextEngine> {
    const known = this.#engines.get(name);
    if (known) return known;
    const loading = this.#load(name);
    this.#engines.set(name, loading);
    // A module that failed to load is tried again at the next call: its author may be editing it.
    loading.catch(() => this.#engines.delete(name));
    return loading;
  }

  async #load(name: string): Promise<ContextEngine> {
    const factory = this.#factories.get(name);
    if (factory) return factory();
    const path = Object.hasOwn(this.#config.modules, name) ? this.#config.modules[name] : undefined;
    if (path === undefined) {
      throw new EngineError(
        'strategy_failed',
        `There is no strategy ${JSON.stringify(name)}; known are ${[...this.#factories.keys(), ...Object.keys(this.#config.modules)].join(', ')}.`,
      );
    }
    return loadModule(name, isAbsolute(path) ? path : resolve(this.#dataDir, path));
  }
}

/** A custom strategy's module exports `createContextEngine(): ContextEngine`. */
async function loadModule(name: string, path: string): Promise<ContextEngine> {
  let created: unknown;
  try {
    const url = pathToFileURL(path);
    // Node keeps a module that failed; one that was mended since is another one.
    url.searchParams.set('changed', String((await stat(path)).mtimeMs));
    const module = (await import(url.href)) as { readonly createContextEngine?: unknown };
    created =
      typeof module.createContextEngine === 'function'
        ? await (module.createContextEngine as () => unknown)()
        : undefined;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError(
      'strategy_failed',
      `The module of the strategy ${name} could not be loaded from ${path}: ${message.slice(0, 500)}.`,
      { cause },
    );
  }
  if (isContextEngine(created)) return created;
  throw new EngineError(
    'strategy_failed',
    `The module of the strategy ${name} (${path}) must export createContextEngine(), returning {name, assemble(input), planCompaction?(input)}.`,
  );
}

function isContextEngine(value: unknown): value is ContextEngine {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { assemble?: unknown }).assemble === 'function' &&
    typeof (value as { name?: unknown }).name === 'string' &&
    ['undefined', 'function'].includes(typeof (value as { planCompaction?: unknown }).planCompaction)
  );
}
