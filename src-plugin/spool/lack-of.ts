/**
 * What an answer of success leaves open: a daemon that says `committed` and names fewer or more turns than it was sent
 * messages has not stored what it was sent.
 * @param reply of any route; only those of commit-turn and after-turn carry `turns`
 * @returns undefined when nothing is missing
 */
export function lackOf(reply: unknown, sent: number): string | undefined {
  if (typeof reply !== 'object' || reply === null || !('turns' in reply) || !('status' in reply)) return undefined;
  if (reply.status !== 'committed' || reply.turns === sent) return undefined;
  return `the daemon says "committed" for ${String(reply.turns)} turns; ${sent} messages were sent`;
}
