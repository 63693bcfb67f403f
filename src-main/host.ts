import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { EngineApi } from '../src-shared/protocol/api.ts';
import { createEngine } from './engine/engine.ts';
import { createEventLog, type EventLog } from './engine/events/event-log.ts';
import { largestPage } from './engine/memory/pages/grammar/read-page.ts';
import { startHttpHost, type HttpHost } from './http/http-host.ts';
import { createWorkerIndex } from './index/create-worker-index.ts';
import { startUpkeep, type Trouble } from './host-upkeep.ts';
import { errorFields, silentLogger, type LogFields, type Logger } from './logger.ts';
import { createEmbedder } from './providers/embedder/create-embedder.ts';
import { createLanguageModel } from './providers/language-model/create-language-model.ts';
import { loadExtractionPrompts } from './providers/language-model/load-extraction-prompts.ts';
import { loadPrompts } from './providers/language-model/load-prompts.ts';
import { createWorkerStubs } from './providers/synopsis/create-worker-stubs.ts';
import { createWorkerTokenizer } from './providers/tokenizer/create-worker-tokenizer.ts';
import { repositoryRoot } from './repository-root.ts';
import { prepareDataDirectory } from './settings/data-directory.ts';
import { createConfigFile, loadConfig } from './settings/load-config.ts';
import { openSessionStore } from './store/open-session-store.ts';
import { systemClock } from './system-clock.ts';
import { FileWorkspace } from './workspace/file-workspace.ts';
import { loadKinds } from './workspace/load-kinds.ts';

export interface HostOptions {
  /** Absolute path; made when it is missing. */
  readonly dataDir: string;
  /** Overrides the configuration; 0 takes a free one. */
  readonly port?: number;
  readonly mode: 'headless' | 'desktop';
  readonly version: string;
  /** The inspector's build. Without it a page says how to build it. */
  readonly inspectorDir?: string;
  readonly logger?: Logger;
  /** How long running requests may go on once `close` is called, in ms. */
  readonly drainMs?: number;
}

/** The engine and its HTTP endpoint on one data directory. */
export interface Host {
  readonly url: string;
  readonly token: string;
  readonly api: EngineApi;
  readonly events: EventLog;
  /** A new link that opens the inspector once, within ten minutes. */
  inspectorLink(): Promise<string>;
  /**
   * Lets running requests end, stores everything, lets the data directory go. May be called again; both wait for the
   * same end. Rejects with the first failure, after everything else was closed all the same.
   */
  close(): Promise<void>;
}

/** Events that are held for clients that come back; some hundred bytes each. */
const eventCapacity = 4_096;

/**
 * Starts everything that serves a data directory.
 * @throws EngineError when the directory, its configuration, its database or the port cannot be had; nothing is left
 * open then
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const logger = options.logger ?? silentLogger;
  const closing = new ClosingSteps();
  try {
    return await open(options, logger, closing);
  } catch (error) {
    // What was opened so far; its own failures matter less than why starting failed.
    await closing.run().catch((failure: unknown) => logger.error('close_failed', errorFields(failure)));
    throw error;
  }
}

async function open(options: HostOptions, logger: Logger, closing: ClosingSteps): Promise<Host> {
  const { dataDir, mode, version } = options;
  const clock = systemClock();
  const startedAt = clock.now();
  await prepareDataDirectory(dataDir);
  if ((await createConfigFile(dataDir)) === 'created') logger.info('config_created', { data_dir: dataDir });
  const config = await loadConfig(dataDir);
  const events = createEventLog({
    capacity: eventCapacity,
    streamId: `${startedAt.toString(36)}${randomBytes(4).toString('hex')}`,
    onListenerError: (error) => logger.error('event_listener_failed', errorFields(error)),
  });

  // Steps are added in order of opening and run the other way round.
  const store = openSessionStore({ dataDir, backups: config.retention.backups });
  closing.add(async () => store.close());
  if (store.recovery) logger.warn('store_recovered', { message: store.recovery.message });
  const troubles = new Map<Trouble | 'recovery', string>([['recovery', store.recovery?.message ?? '']]);
  const upkeep = startUpkeep({
    dataDir,
    backUp: async () => store.backUp(),
    checkFile: store.wasUnclean ? () => store.quickCheck() : undefined,
    now: () => clock.now(),
    logger,
    onTrouble: (kind, message) => {
      troubles.set(kind, message);
      events.publish({ type: 'health.changed' });
    },
  });
  closing.add(async () => upkeep.stop());
  const tokenizer = createWorkerTokenizer();
  closing.add(async () => tokenizer.close());
  const stubs = createWorkerStubs();
  closing.add(async () => stubs.close());
  const memoryIndex = createWorkerIndex({
    file: join(dataDir, 'index.db'),
    backlog: () => store.outbox.backlog(),
    now: () => clock.now(),
    onFailure: (error) => logger.warn('index_stopped', errorFields(error)),
    onNote: (message) => logger.warn('index_rebuilt', { message }),
  });
  closing.add(async () => memoryIndex.close());
  const embedder = createEmbedder({ config: config.embedder, env: process.env, root: repositoryRoot() });
  closing.add(async () => embedder?.close());
  const prompts = await loadPrompts(repositoryRoot());
  const languageModel = createLanguageModel({
    config: config.language_model,
    env: process.env,
    tokenizer,
    now: () => clock.now(),
    dataDir,
    onTrouble: (error) => logger.warn('model_usage_not_kept', errorFields(error)),
  });
  const engine = createEngine({
    store,
    jobs: store.jobs,
    pageStore: store.pages,
    operations: store.operations,
    standing: store.standing,
    workspace: new FileWorkspace({ root: resolve(dataDir, config.memory.workspace), largestFile: largestPage }),
    kinds: await loadKinds(repositoryRoot(), dataDir),
    memoryIndex,
    memoryOutbox: store.outbox,
    embedder,
    clock,
    config,
    events,
    tokenizer,
    stubs,
    languageModel,
    prompts,
    extractionPrompts: await loadExtractionPrompts(repositoryRoot()),
    version,
    mode,
    dataDir,
    pid: process.pid,
    startedAt,
    uncleanShutdown: store.wasUnclean,
    // Read anew for each health answer.
    get recovery() {
      return [...troubles.values()].filter((message) => message !== '').join(' ');
    },
    log: (level, message, fields) => logger[level](message, plainFields(fields)),
  });
  closing.add(async () => engine.close());
  const http = await startHttpHost({
    api: engine.api,
    events,
    limits: config.limits,
    dataDir,
    port: options.port ?? config.port,
    inspectorDir: options.inspectorDir,
    version,
    pid: process.pid,
    startedAt,
    now: () => clock.now(),
    logger,
  });
  closing.addFirst(async () => http.close());
  closing.add(async () => http.drain(options.drainMs ?? 5_000));
  return toHost(http, engine.api, events, closing);
}

function toHost(http: HttpHost, api: EngineApi, events: EventLog, closing: ClosingSteps): Host {
  return {
    url: http.url,
    token: http.token,
    api,
    events,
    inspectorLink: () => Promise.resolve(http.inspectorLink()),
    close: async () => closing.run(),
  };
}

/** What must be closed, newest first; each step runs whatever became of the others. */
class ClosingSteps {
  readonly #steps: (() => Promise<void>)[] = [];
  #running: Promise<void> | undefined;

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Runs after all others. */
  addFirst(step: () => Promise<void>): void {
    this.#steps.unshift(step);
  }

  async run(): Promise<void> {
    return (this.#running ??= this.#runAll());
  }

  async #runAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.reverse()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

function plainFields(fields: Readonly<Record<string, unknown>> = {}): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : JSON.stringify(value)?.slice(0, 500),
    ]),
  );
}
