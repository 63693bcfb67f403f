/** Longer lines are cut here: an abstract reads no further (characters). */
const longestLine = 4_000;

/** One line of Markdown as a person reads it: without marks of headings, lists, emphasis, links and comments. */
export function plainMarkdownLine(line: string): string {
  return line
    .slice(0, longestLine)
    .trim()
    .replace(/^(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+/, '')
    .replace(/^\[[ xX]\][ \t]+/, '')
    .replace(/<!--[^>]{0,1000}-->/g, '')
    .replace(
      /!?\[\[([^\][|]{1,500})(?:\|([^\][]{1,500}))?\]\]/g,
      (_, target: string, label?: string) => label ?? target,
    )
    .replace(/!?\[([^\][]{0,500})\]\([^()]{0,1000}\)/g, '$1')
    .replace(/\*\*|__|`/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim();
}
