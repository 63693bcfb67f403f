/**
 * What we add to the system prompt. It depends on the configuration and on the tools at hand only, so that it is the
 * same from turn to turn and the provider's prompt cache holds.
 */
export function systemAddition(standingInstructions: string, availableTools: readonly string[] | undefined): string {
  const parts: string[] = [];
  if (standingInstructions.trim() !== '') parts.push(standingInstructions.trim());
  if (availableTools?.includes('memory_expand')) parts.push(expandHint);
  return parts.join('\n\n');
}

const expandHint =
  'Older parts of this conversation may be given as summaries in <strata-summary uri="…"> blocks. When an exact ' +
  'wording, number or path from such a part matters, call memory_expand with its uri (and a query) instead of guessing.';
