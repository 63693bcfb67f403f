import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { checkpointUri } from '../../../src-shared/model/uri.ts';
import { sha256 } from '../hash.ts';
import type { SessionRow } from '../ports/session-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { Candidate } from './candidate.ts';
import { summaryBlock } from './summary-message.ts';

/**
 * Checkpoints are never rewritten and the store hands out the same objects, so each is made a candidate once: what it
 * says is some thousand characters, which would else be written, hashed and looked up again for each call.
 */
const known = new WeakMap<CompactCheckpoint, { readonly candidate: Candidate; readonly counter: TokenCounter }>();

/** Checkpoints as candidates, in their order. */
export async function summaryCandidates(
  checkpoints: readonly CompactCheckpoint[],
  session: SessionRow,
  counter: TokenCounter,
): Promise<Candidate[]> {
  return Promise.all(checkpoints.map((checkpoint) => candidateOf(checkpoint, session, counter)));
}

async function candidateOf(
  checkpoint: CompactCheckpoint,
  session: SessionRow,
  counter: TokenCounter,
): Promise<Candidate> {
  const uri = checkpointUri(session.userId, session.uid, checkpoint.checkpoint_id);
  const before = known.get(checkpoint);
  if (before?.counter === counter && before.candidate.uri === uri) return before.candidate;
  const candidate = await newCandidate(checkpoint, uri, counter);
  known.set(checkpoint, { candidate, counter });
  return candidate;
}

async function newCandidate(checkpoint: CompactCheckpoint, uri: string, counter: TokenCounter): Promise<Candidate> {
  const text = checkpoint.overview;
  return {
    item: `checkpoint:${checkpoint.checkpoint_id}`,
    kind: 'summary',
    source: 'engine',
    role: 'user',
    count: 1,
    tokens: await counter.text(summaryBlock(uri, text)),
    shortTokens: await counter.text(summaryBlock(uri, checkpoint.abstract)),
    preview: text.replace(/\s+/gu, ' ').slice(0, 160).toWellFormed(),
    uri,
    sequence: checkpoint.source_turn_range.start_sequence,
    endSequence: checkpoint.source_turn_range.end_sequence,
    key: sha256(text),
    toolCallIds: [],
    excluded: false,
    blank: false,
    live: false,
  };
}
