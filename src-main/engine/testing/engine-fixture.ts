import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { z } from 'zod';
import { configSchema } from '../../../src-shared/model/config.ts';
import type { LiveEvent } from '../../../src-shared/model/events.ts';
import type { EngineApi } from '../../../src-shared/protocol/api.ts';
import { routes } from '../../../src-shared/protocol/routes.ts';
import { openInlineIndex } from '../../index/open-inline-index.ts';
import { createInlineStubs } from '../../providers/synopsis/create-inline-stubs.ts';
import { createInlineTokenizer } from '../../providers/tokenizer/create-inline-tokenizer.ts';
import { openSessionStore } from '../../store/open-session-store.ts';
import { repositoryRoot } from '../../repository-root.ts';
import { FileWorkspace } from '../../workspace/file-workspace.ts';
import { loadKinds } from '../../workspace/load-kinds.ts';
import type { Prompts } from '../compact/prompts.ts';
import { createEngine, type Engine } from '../engine.ts';
import type { EngineParts } from '../engine-parts.ts';
import { largestPage } from '../memory/pages/grammar/read-page.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { ExtractionPrompts } from '../memory/extract/model/extraction-prompts.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { Tokenizer } from '../ports/tokenizer.ts';
import { scriptedClock, type ScriptedClock } from './scripted-clock.ts';

type Routes = (typeof routes)[number];
type ApiName = keyof EngineApi & Routes['name'];
type RouteOf<N extends ApiName> = Extract<Routes, { readonly name: N }>;

/** What a caller sends: defaults may be left out, as over HTTP. */
export interface SentInput<N extends ApiName> {
  readonly params?: z.input<RouteOf<N>['params']>;
  readonly query?: z.input<RouteOf<N>['query']>;
  readonly body?: z.input<RouteOf<N>['body']>;
}

export interface FixtureOptions {
  /** As in `config.yaml`. */
  readonly config?: z.input<typeof configSchema>;
  readonly tokenizer?: () => Tokenizer;
  /** None by default. */
  readonly embedder?: () => Embedder;
  /** What a model is asked with; without them no model is. */
  readonly prompts?: Prompts;
  /** The endpoint that stands for a configured one, and what it is asked with for memories. */
  readonly languageModel?: LanguageModel;
  readonly extractionPrompts?: ExtractionPrompts;
  /** Puts files into the data directory before anything reads it. */
  readonly prepare?: (dataDir: string) => Promise<void>;
  /** Around the real store, to make it slow or failing. */
  readonly wrapStore?: (store: SessionStore) => SessionStore;
}

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

/** A real engine over a real SQLite store in a directory of its own; only clock and ids are scripted. */
export interface EngineFixture {
  /** Of the engine as it is now; another object after `reopen`. */
  readonly api: EngineApi;
  readonly engine: Engine;
  readonly parts: EngineParts;
  readonly store: SessionStore;
  readonly clock: ScriptedClock;
  readonly dataDir: string;
  /** Everything published and logged since the fixture was opened, over reopenings. */
  readonly events: LiveEvent[];
  readonly logLines: LogLine[];
  /** Calls a route as the doors do: the input is parsed by the route's schemas first. */
  send<N extends ApiName>(name: N, input: SentInput<N>): ReturnType<EngineApi[N]>;
  /** As after a restart of the daemon: the same directory, the same clock, nothing else kept. `between` runs before it. */
  reopen(between?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Closed, and its directory removed, when the running test ends. */
export async function openEngineFixture(options: FixtureOptions = {}): Promise<EngineFixture> {
  const dataDir = await mkdtemp(join(tmpdir(), 'strata-engine-'));
  const clock = scriptedClock();
  const events: LiveEvent[] = [];
  const logLines: LogLine[] = [];
  await options.prepare?.(dataDir);
  const kinds = await loadKinds(repositoryRoot(), dataDir);
  const start = (): { readonly parts: EngineParts; readonly engine: Engine } => {
    const opened = openSessionStore({ dataDir, backups: 1, now: () => clock.now() });
    const config = configSchema.parse(withoutTriggers(options.config ?? {}));
    const parts: EngineParts = {
      store: options.wrapStore?.(opened) ?? opened,
      jobs: opened.jobs,
      pageStore: opened.pages,
      operations: opened.operations,
      standing: opened.standing,
      workspace: new FileWorkspace({ root: resolve(dataDir, config.memory.workspace), largestFile: largestPage }),
      kinds,
      memoryIndex: openInlineIndex({
        file: join(dataDir, 'index.db'),
        backlog: () => opened.outbox.backlog(),
        now: () => clock.now(),
      }),
      memoryOutbox: opened.outbox,
      embedder: options.embedder?.(),
      clock,
      config,
      events: { publish: (event) => events.push(event) },
      tokenizer: (options.tokenizer ?? createInlineTokenizer)(),
      stubs: createInlineStubs(),
      prompts: options.prompts,
      languageModel: options.languageModel,
      extractionPrompts: options.extractionPrompts,
      version: '0.0.0-test',
      mode: 'headless',
      dataDir,
      pid: 1,
      startedAt: clock.now(),
      uncleanShutdown: opened.wasUnclean,
      recovery: opened.recovery?.message ?? '',
      log: (level, message, fields) => logLines.push({ level, message, fields }),
    };
    return { parts, engine: createEngine(parts) };
  };
  const stop = async (): Promise<void> => {
    await running.engine.close();
    await running.parts.memoryIndex.close();
    await running.parts.store.close();
  };
  let running = start();
  onTestFinished(async () => {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    get api() {
      return running.engine.api;
    },
    get engine() {
      return running.engine;
    },
    get parts() {
      return running.parts;
    },
    get store() {
      return running.parts.store;
    },
    clock,
    dataDir,
    events,
    logLines,
    send: (name, input) => call(running.engine.api, name, input),
    reopen: async (between) => {
      await stop();
      await between?.();
      running = start();
    },
    close: stop,
  };
}

/** Compaction in the background changes what is tested at a time of its own; only tests about it have it on.
 * So does recall, which sets a part of every budget apart. */
function withoutTriggers(config: z.input<typeof configSchema>): z.input<typeof configSchema> {
  const off = { budget_share: 0, tokens_added: 0, turns: 0, interval_minutes: 0 };
  // A busy machine takes longer for the first read than a call may wait.
  const recall = { enabled: false, deadline_ms: 5_000, ...config.recall };
  return {
    ...config,
    recall,
    compaction: { ...config.compaction, triggers: { ...off, ...config.compaction?.triggers } },
  };
}

function call<N extends ApiName>(api: EngineApi, name: N, input: SentInput<N>): ReturnType<EngineApi[N]> {
  const route = routes.find((candidate) => candidate.name === name);
  if (!route) throw new Error(`There is no route ${name}.`);
  const parsed = {
    params: route.params.parse(input.params ?? {}),
    query: route.query.parse(input.query ?? {}),
    body: route.body.parse(input.body ?? {}),
  };
  // Parsed by this very route's schemas; the table of routes cannot say so to the compiler.
  const method = api[name] as (given: unknown) => ReturnType<EngineApi[N]>;
  return method(parsed);
}
