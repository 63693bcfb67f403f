/** What a summary consists of, in the order in which it is written. */
export const sectionNames = ['decisions', 'tasks', 'rules', 'requests', 'identifiers', 'subagents', 'facts'] as const;
export type SectionName = (typeof sectionNames)[number];

export const sectionTitles: Readonly<Record<SectionName, string>> = {
  decisions: 'Decisions',
  tasks: 'Open tasks',
  rules: 'Constraints and standing rules',
  requests: 'Pending requests',
  identifiers: 'Exact identifiers',
  subagents: 'Running sub-agents',
  facts: 'What happened',
};

/** Lines of each section, without their bullets. */
export type SectionLines = Readonly<Record<SectionName, readonly string[]>>;

export const noLines: SectionLines = {
  decisions: [],
  tasks: [],
  rules: [],
  requests: [],
  identifiers: [],
  subagents: [],
  facts: [],
};

/** The overview's text; sections without a line are left out. */
export function renderSections(lines: SectionLines): string {
  return sectionNames
    .filter((name) => lines[name].length > 0)
    .map((name) => {
      const bullet = name === 'identifiers' ? '' : '- ';
      return `## ${sectionTitles[name]}\n${lines[name].map((line) => `${bullet}${line}`).join('\n')}`;
    })
    .join('\n\n');
}
