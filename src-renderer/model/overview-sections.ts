/** A section of a summary: its title and its lines. */
export interface OverviewSection {
  /** Undefined for lines before the first title. */
  readonly title: string | undefined;
  readonly lines: readonly OverviewLine[];
}

export interface OverviewLine {
  readonly text: string;
  /** Whether it was written as an item of a list. */
  readonly bullet: boolean;
}

/** Cuts an overview at its titles (`## Decisions`); nothing but the marks and blank lines is left out. */
export function overviewSections(overview: string): readonly OverviewSection[] {
  const sections: { title: string | undefined; lines: OverviewLine[] }[] = [];
  for (const line of overview.split('\n')) {
    const title = /^#{1,6}\s+(.*\S)\s*$/.exec(line)?.[1];
    if (title !== undefined) {
      sections.push({ title, lines: [] });
      continue;
    }
    if (line.trim() === '') continue;
    if (sections.length === 0) sections.push({ title: undefined, lines: [] });
    const bullet = /^\s*[-*•]\s+/.exec(line)?.[0];
    sections
      .at(-1)
      ?.lines.push({ text: bullet === undefined ? line : line.slice(bullet.length), bullet: bullet !== undefined });
  }
  return sections;
}
