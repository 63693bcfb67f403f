import type { RecallWeights } from './recall-weights.ts';
import type { FoundRow } from './scored-row.ts';

/** Turns of a session that say how near it is. */
const bestOfSession = 3;

/**
 * What nearness of meaning adds to turns: their own, that of the turns beside them, and that of the best of their session,
 * the last two against the average of what was found. A turn says little alone, and cosines of any two texts are high.
 * @param turns in order of session and sequence
 * @param keys of the session of each
 * @returns for each turn; 0 for all where there are no vectors
 */
export function nearnessAround(
  turns: readonly FoundRow[],
  keys: readonly string[],
  weights: Pick<RecallWeights, 'vector' | 'vectorAround' | 'vectorSession'>,
): number[] {
  const known = turns.flatMap(({ cosine }) => cosine ?? []);
  if (known.length === 0) return turns.map(() => 0);
  const average = mean(known);
  const sessions = new Map<string, number[]>();
  turns.forEach(({ cosine = average }, index) => {
    const key = keys[index] ?? '';
    const cosines = sessions.get(key);
    if (cosines) cosines.push(cosine);
    else sessions.set(key, [cosine]);
  });
  const bySession = new Map([...sessions].map(([key, cosines]) => [key, bestMean(cosines, average)]));
  const ofSessions = mean([...bySession.values()]);
  return turns.map((turn, index) => {
    const beside = [turns[index - 1], turns[index + 1]].flatMap((other, side) => {
      const isBeside =
        other &&
        keys[index] === keys[side === 0 ? index - 1 : index + 1] &&
        Math.abs((other.hit.sequence ?? 0) - (turn.hit.sequence ?? 0)) === 1;
      return isBeside ? [other.cosine ?? average] : [];
    });
    const around = mean([turn.cosine ?? average, ...beside]) - average;
    const session = (bySession.get(keys[index] ?? '') ?? ofSessions) - ofSessions;
    return weights.vector * turn.nearness + weights.vectorAround * around + weights.vectorSession * session;
  });
}

function bestMean(cosines: readonly number[], average: number): number {
  const best = cosines.toSorted((one, other) => other - one).slice(0, bestOfSession);
  while (best.length < bestOfSession) best.push(Math.min(average, best[0] ?? average));
  return mean(best);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
