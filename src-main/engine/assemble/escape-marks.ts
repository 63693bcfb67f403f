/**
 * What was said before, or remembered, must not close our blocks or open the host's, nor speak as the system; all other
 * characters stay, since identifiers must.
 */
export function escapeMarks(text: string): string {
  return text
    .replace(/<(?=\s*\/?\s*(?:strata-|memory\b|summary\b|system\b|tool_results?\b|function_results?\b))/gi, '&lt;')
    .replace(/<(?=\|[a-z_]{1,40}\|>)/gi, '&lt;')
    .replace(/<<<(?=\/?[A-Z_]+)/g, '&lt;&lt;&lt;')
    .toWellFormed();
}
