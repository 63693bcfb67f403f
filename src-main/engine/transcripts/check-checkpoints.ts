import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { isOverlapping, isSuccessor } from '../../../src-shared/model/checkpoint-succession.ts';
import type { StoredCheckpoint } from '../ports/session-store.ts';
import { invalidLine, quoted } from './invalid-line.ts';

export interface TranscriptCheckpoint extends StoredCheckpoint {
  /** Number of its line, from 1. */
  readonly line: number;
}

/** What checkpoints are measured against. */
export interface TurnFacts {
  readonly epoch: number;
  /** No count of the turns of its epoch up to this one has been higher. */
  readonly mostTokens: number;
}

/**
 * That checkpoints can have come about on these turns: what they say of turns and of each other is true, and whatever
 * is dissolved or restored later, no two of them will stand for the same turn.
 * @param turns sequences 1, 2, 3 …
 * @throws EngineError `import_invalid` naming the line
 */
export function checkCheckpoints(checkpoints: readonly TranscriptCheckpoint[], turns: readonly TurnFacts[]): void {
  const byId = new Map<string, TranscriptCheckpoint>();
  for (const one of checkpoints) {
    const id = one.checkpoint.checkpoint_id;
    if (byId.has(id)) throw invalidLine(one.line, `a second checkpoint ${quoted(id)}`);
    byId.set(id, one);
  }
  const newest = new Map(turns.map((turn, index) => [turn.epoch, { ...turn, sequence: index + 1 }]));
  for (const one of checkpoints) {
    checkTurns(one, turns, newest);
    checkParents(one, byId);
    checkSuccessor(one, byId);
  }
  checkChains(checkpoints, byId);
  const standing = checkpoints.filter(({ end }) => end === undefined);
  const overlap = findOverlap(standing);
  if (overlap) throw invalidLine(overlap[0].line, `a checkpoint of turns that ${idOf(overlap[1])} stands for`);
}

/** @param newest the last turn of each epoch */
function checkTurns(
  { line, checkpoint }: TranscriptCheckpoint,
  turns: readonly TurnFacts[],
  newest: ReadonlyMap<number, TurnFacts & { readonly sequence: number }>,
): void {
  const { start_sequence: start, end_sequence: end } = checkpoint.source_turn_range;
  if (start < 1 || start > end) throw invalidLine(line, `a checkpoint of the turns ${start} to ${end}`);
  const [first, last] = [turns[start - 1], turns[end - 1]];
  if (!first || !last) throw invalidLine(line, `checkpoint names turn ${end}, and there are ${turns.length}`);
  const { epoch, as_of: seen } = checkpoint;
  if (first.epoch !== epoch || last.epoch !== epoch) {
    const found = `a checkpoint of epoch ${epoch} whose turns are of the epochs ${first.epoch} to ${last.epoch}`;
    throw invalidLine(line, found);
  }
  const { sequence = 0, mostTokens = 0 } = newest.get(epoch) ?? {};
  if (seen && seen.sequence > sequence) {
    throw invalidLine(line, `a checkpoint as of turn ${seen.sequence}, and its epoch ends at ${sequence}`);
  }
  if (seen && seen.epoch_tokens > mostTokens) {
    throw invalidLine(line, `a checkpoint as of ${seen.epoch_tokens} tokens, which its epoch does not have`);
  }
}

/** Each is of a lower level, so that there are no circles. */
function checkParents({ line, checkpoint }: TranscriptCheckpoint, byId: ReadonlyMap<string, TranscriptCheckpoint>) {
  const parents = checkpoint.parent_checkpoint_ids.map((id) => {
    const parent = byId.get(id);
    if (!parent) throw invalidLine(line, `a checkpoint made of ${quoted(id)}, which is not there`);
    if (!isSuccessor(checkpoint, parent.checkpoint, 'folded')) {
      throw invalidLine(line, `a checkpoint made of ${quoted(id)}, which lies outside its turns`);
    }
    return parent;
  });
  const level = parents.length === 0 ? 0 : 1 + Math.max(...parents.map((parent) => parent.checkpoint.level));
  if (checkpoint.level !== level) {
    throw invalidLine(line, `a checkpoint of level ${checkpoint.level} where what it is made of makes it ${level}`);
  }
  const overlap = findOverlap(parents);
  if (overlap)
    throw invalidLine(line, `a checkpoint made of ${idOf(overlap[0])} and ${idOf(overlap[1])}, which overlap`);
}

/** One that is not in the transcript is looked for in the store, later. */
function checkSuccessor(
  { line, checkpoint, end }: TranscriptCheckpoint,
  byId: ReadonlyMap<string, TranscriptCheckpoint>,
): void {
  if (end?.by === undefined) return;
  const successor = byId.get(end.by);
  if (end.state === 'dissolved') throw invalidLine(line, `a dissolved checkpoint that ${quoted(end.by)} stands for`);
  if (successor && !isSuccessor(successor.checkpoint, checkpoint, end.state)) {
    throw invalidLine(line, `a checkpoint ${end.state} by ${quoted(end.by)}, which is not made in its place`);
  }
}

/** Followed from successor to successor each comes to an end. */
function checkChains(
  checkpoints: readonly TranscriptCheckpoint[],
  byId: ReadonlyMap<string, TranscriptCheckpoint>,
): void {
  const ending = new Set<TranscriptCheckpoint>();
  for (const first of checkpoints) {
    const passed = new Set<TranscriptCheckpoint>();
    let one: TranscriptCheckpoint | undefined = first;
    while (one && !ending.has(one)) {
      if (passed.has(one)) throw invalidLine(one.line, `a checkpoint that stands for itself in the end`);
      passed.add(one);
      one = one.end?.by === undefined ? undefined : byId.get(one.end.by);
    }
    for (const done of passed) ending.add(done);
  }
}

/** Two that are neighbours by their first turns overlap if any do. The later line comes first. */
function findOverlap(
  checkpoints: readonly TranscriptCheckpoint[],
): readonly [TranscriptCheckpoint, TranscriptCheckpoint] | undefined {
  const inOrder = [...checkpoints].sort((a, b) => startOf(a.checkpoint) - startOf(b.checkpoint));
  for (const [index, one] of inOrder.entries()) {
    const next = inOrder[index + 1];
    if (next && isOverlapping(one.checkpoint, next.checkpoint)) return one.line > next.line ? [one, next] : [next, one];
  }
  return undefined;
}

function startOf({ source_turn_range: range }: CompactCheckpoint): number {
  return range.start_sequence;
}

function idOf({ checkpoint }: TranscriptCheckpoint): string {
  return quoted(checkpoint.checkpoint_id);
}
