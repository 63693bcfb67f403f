/** The score by which a candidate was decided about; what else there is are its parts. */
export function headlineScore(scores: Readonly<Record<string, number>>): number | undefined {
  return scores['final'] ?? scores['score'] ?? Object.values(scores)[0];
}
