import type { LiveEvent } from '../../src-shared/model/events.ts';
import type { Config } from '../../src-shared/model/config.ts';
import type { Prompts } from './compact/prompts.ts';
import type { Clock } from './ports/clock.ts';
import type { MemoryKinds } from './memory/kinds/memory-kinds.ts';
import type { Embedder } from './ports/embedder.ts';
import type { JobQueue } from './ports/job-queue.ts';
import type { LanguageModel } from './ports/language-model.ts';
import type { ExtractionPrompts } from './memory/extract/model/extraction-prompts.ts';
import type { MemoryOperations } from './ports/memory-operations.ts';
import type { MemoryIndexWriter } from './ports/memory-index-writer.ts';
import type { MemoryOutbox } from './ports/memory-outbox.ts';
import type { PageStore } from './ports/page-store.ts';
import type { ResultStubs } from './ports/result-stubs.ts';
import type { SessionStore } from './ports/session-store.ts';
import type { StandingStore } from './ports/standing-store.ts';
import type { Tokenizer } from './ports/tokenizer.ts';
import type { Workspace } from './ports/workspace.ts';

/** Where the engine announces what changed. */
export interface LiveEvents {
  publish(event: LiveEvent): void;
}

/** Everything an engine is made of; nothing in it reaches for the world by itself. */
export interface EngineParts {
  readonly store: SessionStore;
  readonly jobs: JobQueue;
  readonly pageStore: PageStore;
  readonly workspace: Workspace;
  readonly operations: MemoryOperations;
  readonly kinds: MemoryKinds;
  readonly standing: StandingStore;
  readonly memoryIndex: MemoryIndexWriter;
  readonly memoryOutbox: MemoryOutbox;
  /** Makes vectors of texts; undefined when the configuration wants none. */
  readonly embedder?: Embedder | undefined;
  readonly clock: Clock;
  readonly config: Config;
  readonly events: LiveEvents;
  readonly tokenizer: Tokenizer;
  readonly stubs: ResultStubs;
  /** The endpoint that `language_model` names; undefined when it names none. */
  readonly languageModel?: LanguageModel | undefined;
  /** What a model is asked with; without them no model is asked. */
  readonly prompts?: Prompts | undefined;
  readonly extractionPrompts?: ExtractionPrompts | undefined;
  readonly version: string;
  readonly mode: 'headless' | 'desktop';
  /** Absolute path; custom strategies are looked up from here. */
  readonly dataDir: string;
  readonly pid: number;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** The process before this one did not close the store. */
  readonly uncleanShutdown: boolean;
  /** What was set aside or restored when the store was opened, in one sentence; empty when nothing was. */
  readonly recovery: string;
  /** For what happens outside a request and must not pass unseen. */
  readonly log: (level: 'info' | 'warn' | 'error', message: string, fields?: Readonly<Record<string, unknown>>) => void;
}
