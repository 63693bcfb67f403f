/**
 * The part of OpenClaw's plugin interface that the plugin uses, written down by structure: the package is 700 MB and
 * stays out of this repository. The OpenClaw suite checks these types against the real package. Fields that a host
 * generation may leave out are optional here.
 */
import type { HostMessage } from '../src-shared/protocol/host-message.ts';

export interface HostLogger {
  debug?: (message: string) => void;
  info: (message: string) => void;
  warn: (message: string) => void;
  error: (message: string) => void;
}

/** `runtimeContext` of the host. It also carries the host's whole configuration, which never leaves the process. */
export interface HostRuntimeContext {
  tokenBudget?: number;
  /** Name of the model: `model` in most calls, `modelId` in commitTurn. */
  model?: unknown;
  modelId?: unknown;
  trigger?: unknown;
  attempt?: unknown;
  /** The session's own model; the host gives it where it may be asked. */
  llm?: HostLlm;
  /** Only where the transcript may be rewritten: after a turn, not while one is prepared. */
  rewriteTranscriptEntries?: unknown;
}

export interface HostLlm {
  complete(params: HostCompleteParams): Promise<HostCompleteResult>;
}

export interface HostCompleteParams {
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[];
  systemPrompt?: string;
  maxTokens?: number;
  purpose?: string;
  signal?: AbortSignal;
}

export interface HostCompleteResult {
  text: string;
  provider: string;
  model: string;
  responseModel?: string;
  stopReason?: string;
  usage?: { inputTokens?: number; outputTokens?: number };
}

export interface HostSession {
  sessionId: string;
  sessionKey?: string | undefined;
}

export interface HostSessionTarget {
  agentId?: string;
}

export interface BootstrapParams extends HostSession {
  sessionTarget?: HostSessionTarget;
}

export interface BootstrapResult {
  bootstrapped: boolean;
  importedMessages?: number;
  reason?: string;
}

export interface IngestParams extends HostSession {
  message: HostMessage;
  isHeartbeat?: boolean;
}

export interface IngestBatchParams extends HostSession {
  messages: HostMessage[];
  isHeartbeat?: boolean;
}

export interface AfterTurnParams extends HostSession {
  messages: HostMessage[];
  prePromptMessageCount: number;
  isHeartbeat?: boolean;
  tokenBudget?: number;
  runtimeContext?: HostRuntimeContext;
}

export interface CommitTurnParams extends HostSession {
  advancementKey: string;
  messages: HostMessage[];
  isHeartbeat?: boolean;
  runtimeContext?: HostRuntimeContext;
}

export interface AssembleParams extends HostSession {
  messages: HostMessage[];
  tokenBudget?: number;
  availableTools?: ReadonlySet<string>;
  model?: string;
  prompt?: string;
}

export interface AssembleResult {
  messages: HostMessage[];
  estimatedTokens: number;
  systemPromptAddition?: string;
}

export interface CompactParams extends HostSession {
  tokenBudget?: number;
  force?: boolean;
  currentTokenCount?: number;
  compactionTarget?: 'budget' | 'threshold';
  customInstructions?: string;
  runtimeContext?: HostRuntimeContext;
  abortSignal?: AbortSignal;
}

export interface CompactResult {
  ok: boolean;
  compacted: boolean;
  reason?: string;
  result?: {
    summary?: string;
    firstKeptEntryId?: string;
    tokensBefore: number;
    tokensAfter?: number;
    details?: unknown;
  };
}

export interface MaintainParams extends HostSession {
  runtimeContext?: HostRuntimeContext;
  abortSignal?: AbortSignal;
}

export interface MaintainResult {
  changed: boolean;
  bytesFreed: number;
  rewrittenEntries: number;
}

export interface SubagentSpawnParams {
  parentSessionKey: string;
  childSessionKey: string;
  contextMode?: 'isolated' | 'fork';
}

export interface SubagentEndedParams {
  childSessionKey: string;
  reason: 'deleted' | 'completed' | 'swept' | 'released';
}

export interface HostContextEngine {
  readonly info: {
    id: string;
    name: string;
    version?: string;
    ownsCompaction?: boolean;
    /** `background`: the host does not wait for `maintain` before the next turn. */
    turnMaintenanceMode?: 'foreground' | 'background';
    transcriptSemantics?: {
      currentTurnFence?: 'before-current-turn-entry-v1';
      turnAdvancementIdempotency?: 'atomic-idempotent-v1';
    };
  };
  bootstrap(params: BootstrapParams): Promise<BootstrapResult>;
  ingest(params: IngestParams): Promise<{ ingested: boolean }>;
  ingestBatch(params: IngestBatchParams): Promise<{ ingestedCount: number }>;
  afterTurn(params: AfterTurnParams): Promise<void>;
  commitTurn(params: CommitTurnParams): Promise<{ status: 'committed' | 'duplicate' }>;
  assemble(params: AssembleParams): Promise<AssembleResult>;
  compact(params: CompactParams): Promise<CompactResult>;
  maintain(params: MaintainParams): Promise<MaintainResult>;
  prepareSubagentSpawn(params: SubagentSpawnParams): Promise<{ rollback: () => Promise<void> }>;
  onSubagentEnded(params: SubagentEndedParams): Promise<void>;
  dispose(): Promise<void>;
}

/** For which session the host makes a tool. */
export interface HostToolContext {
  sessionKey?: string;
  sessionId?: string;
  agentId?: string;
}

export type HostToolFactory = (context: HostToolContext) => HostTool;

export interface HostHookContext {
  runId?: string;
  agentId?: string;
  sessionKey?: string;
  sessionId?: string;
}

export type HostSessionEndReason =
  'new' | 'reset' | 'idle' | 'daily' | 'compaction' | 'deleted' | 'shutdown' | 'restart' | 'unknown';

/** Payloads of the hooks that the plugin listens to. */
export interface HostHookEvents {
  session_start: { sessionId: string; sessionKey?: string };
  session_end: { sessionId: string; sessionKey?: string; reason?: HostSessionEndReason; nextSessionId?: string };
  before_reset: { reason?: string };
  model_call_started: { runId: string; callId: string; sessionKey?: string; sessionId?: string };
  llm_input: { runId: string; systemPrompt?: string; prompt: string; historyMessages: unknown[]; tools?: unknown[] };
  llm_output: {
    runId: string;
    sessionId: string;
    model: string;
    usage?: { input?: number; output?: number; cacheRead?: number; cacheWrite?: number };
  };
  /** A message came over a channel; before anything is done with it. */
  message_received: { content: string; sessionKey?: string };
  before_agent_reply: { cleanedBody: string };
  before_model_resolve: { prompt: string };
  /** The host has its context, from the engine or without it. */
  before_prompt_build: { prompt: string; currentUserMessage?: string };
  before_message_write: { message: HostMessage; sessionKey?: string; agentId?: string };
  /** `result` as the tool gave it: `{content, details}`. */
  after_tool_call: { toolName: string; toolCallId?: string; result?: unknown; error?: string };
  /** `message` as the host would write it; 2026.9.6 has cut it already. */
  tool_result_persist: { toolName?: string; toolCallId?: string; message: HostMessage; isSynthetic?: boolean };
}

/** What a handler may answer; of all others the host takes nothing. */
export type HostHookAnswer<K extends HostHookName> =
  | (K extends 'tool_result_persist'
      ? { message: HostMessage }
      : K extends 'before_prompt_build'
        ? Promise<{ prependContext: string } | undefined>
        : void | Promise<void>)
  | undefined;

export type HostHookName = keyof HostHookEvents;

export interface HostTool {
  name: string;
  label: string;
  description: string;
  parameters: Record<string, unknown>;
  /** Keeps the tool in the model's own list; hosts hide plugins' tools behind a search otherwise. */
  catalogMode?: 'direct-only';
  execute(
    toolCallId: string,
    params: unknown,
    signal?: AbortSignal,
  ): Promise<{ content: { type: 'text'; text: string }[]; details: unknown }>;
}

export interface HostCommandContext {
  args?: string;
  agentId?: string;
  sessionKey?: string;
  sessionId?: string;
}

export interface HostCommand {
  name: string;
  description: string;
  acceptsArgs?: boolean;
  handler: (context: HostCommandContext) => Promise<{ text: string }>;
}

export interface HostPluginApi {
  pluginConfig?: Record<string, unknown> | undefined;
  logger: HostLogger;
  runtime?: { version?: unknown } | undefined;
  registerContextEngine(id: string, factory: () => Promise<HostContextEngine>): void;
  registerTool?(tool: HostToolFactory, options: { name: string }): void;
  registerCommand?(command: HostCommand): void;
  on?<K extends HostHookName>(
    hook: K,
    handler: (event: HostHookEvents[K], context: HostHookContext) => HostHookAnswer<K>,
  ): void;
}
