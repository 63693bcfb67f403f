import { sha256 } from '../hash.ts';
import { fillPrompt, type Prompts } from './prompts.ts';
import { isRunning } from './running-subagents.ts';
import type { SourceTurn, SummaryRequest } from './summariser.ts';
import { isFolding } from './summary-source.ts';

export interface WrittenPrompt {
  readonly system: string;
  readonly prompt: string;
  readonly promptVersion: string;
}

export interface PromptStage {
  /** What was wrong with the answer before this one, in a sentence. */
  readonly refusal?: string | undefined;
  /** Where a long range is told in parts: which one this is, and the record of those before it. */
  readonly part?: { readonly number: number; readonly of: number; readonly soFar: string } | undefined;
}

/** Tokens that {@link writePrompt} puts around each turn at most. */
export const turnFrameTokens = 16;

/**
 * What a model is asked. History stands between marks whose code is made of the history itself, so that nobody who
 * writes a part of it can know the code; what looks like a mark of ours within it is escaped all the same.
 */
export function writePrompt(request: SummaryRequest, prompts: Prompts, stage: PromptStage = {}): WrittenPrompt {
  const { parts, version } = prompts;
  const { turns, previous = [], focus, subagents = [] } = request;
  const mark = markOf(request);
  const folding = isFolding(request);
  const records = previous
    .map(({ uri, overview }) => `<record-${mark} uri="${plainUri(uri)}">\n${escapeMarks(overview)}\n</record-${mark}>`)
    .join('\n');
  const running = subagents
    .filter(isRunning)
    .map(({ sessionKey, state }) => `- ${oneLine(sessionKey)}: ${oneLine(state)}`);
  const { part } = stage;
  const blocks = [
    parts[`identifiers_${request.policy}`],
    focus.trim() === ''
      ? ''
      : fillPrompt(parts.focus, { focus: `<wish-${mark}>\n${escapeMarks(focus.trim())}\n</wish-${mark}>` }),
    running.length === 0 ? '' : fillPrompt(parts.subagents, { subagents: running.join('\n') }),
    fillPrompt(parts.size, {
      abstract_tokens: String(request.abstractTokens),
      overview_tokens: String(request.overviewTokens),
    }),
    previous.length === 0 ? '' : fillPrompt(folding ? parts.condense : parts.previous, { previous: records }),
    part === undefined || part.soFar === ''
      ? ''
      : fillPrompt(parts.so_far, {
          part: String(part.number),
          parts: String(part.of),
          so_far: `<record-${mark}>\n${escapeMarks(part.soFar)}\n</record-${mark}>`,
        }),
    turns.length === 0
      ? ''
      : fillPrompt(parts.turns, {
          turns: `<history-${mark}>\n${turns.map((turn) => renderTurn(turn, mark)).join('\n')}\n</history-${mark}>`,
        }),
    stage.refusal === undefined ? '' : fillPrompt(parts.retry, { refusal: stage.refusal }),
    parts.finish,
  ];
  return {
    system: fillPrompt(parts.system, { mark }),
    prompt: blocks.filter((block) => block !== '').join('\n\n'),
    promptVersion: version,
  };
}

/** Twelve hex digits of what the prompt holds. */
function markOf({ turns, previous = [], focus }: SummaryRequest): string {
  const content = JSON.stringify([turns.map(({ role, text }) => [role, text]), previous, focus]);
  return sha256(content).slice(0, 12);
}

function renderTurn({ sequence, role, tool, text }: SourceTurn, mark: string): string {
  return `[${mark} turn ${sequence} ${role}${tool === undefined ? '' : ` tool ${oneLine(tool)}`}]\n${escapeMarks(text)}`;
}

function escapeMarks(text: string): string {
  return text.replace(/<(?=\s*\/?\s*(?:history|record|wish)-)/gi, '&lt;');
}

function oneLine(text: string): string {
  return escapeMarks(text.replace(/\s+/g, ' ').slice(0, 200));
}

function plainUri(uri: string): string {
  return uri.replace(/["<>\s]/g, '');
}
