import type { IndexHit } from '../engine/ports/memory-index.ts';
import type { IndexMethod } from './index-calls.ts';

/** Methods that answer lists of rows. */
const listing: ReadonlySet<IndexMethod> = new Set<IndexMethod>([
  'searchText',
  'searchVectors',
  'rows',
  'neighbours',
  'pinned',
]);

/** Rows between threads are one text: cloning an object of fifteen fields takes several times as long as writing it. */
export function packAnswer(method: IndexMethod, answer: unknown): unknown {
  return listing.has(method) ? JSON.stringify(answer) : answer;
}

/** What `packAnswer` was given. */
export function unpackAnswer(method: IndexMethod, answer: unknown): unknown {
  if (!listing.has(method) || typeof answer !== 'string') return answer;
  // Written above, by a worker of this very version.
  return (JSON.parse(answer) as IndexHit[]).map(withAllFields);
}

/** Fields that are undefined are not written. */
function withAllFields(hit: IndexHit): IndexHit {
  const { sessionUid, epoch, sequence, role, speaker } = hit;
  return { ...hit, sessionUid, epoch, sequence, role, speaker };
}
