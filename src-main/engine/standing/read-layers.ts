import type { MemoryScope } from '../../../src-shared/model/memory-scope.ts';
import { mayReadPage } from '../memory/access/may-read-page.ts';
import type { MemoryPages } from '../ports/memory-pages.ts';
import type { StandingPart } from '../ports/standing-store.ts';
import { ownPages } from './own-pages.ts';

/** Characters of one layer at most (mini-OpenClaw [D6]). */
const longestLayer = 20_000;

/** Files of the workspace in the order of the layers; what is not private tells the agent how to be, whoever listens. */
const files = [
  { name: 'SOUL.md', isPrivate: false },
  { name: 'IDENTITY.md', isPrivate: false },
  { name: 'USER.md', isPrivate: true },
  { name: 'AGENTS.md', isPrivate: false },
] as const;

/** The system prompt for hosts that have none: skills snapshot → SOUL → IDENTITY → USER → AGENTS; MEMORY follows as standing memory. */
export async function readLayers(pages: MemoryPages, scope: MemoryScope): Promise<readonly StandingPart[]> {
  const layers = [await skillsSnapshot(pages, scope)];
  for (const { name, isPrivate } of files) {
    const uri = `strata://resources/${name.replace(/\.md$/, '')}`;
    const page = await pages.find(uri);
    if (!page || page.path !== name || page.content.trim() === '') continue;
    if (isPrivate && !mayReadPage(page, scope)) continue;
    layers.push({ kind: 'layer', name, text: `# ${name}\n\n${capped(page.content.trim())}`, uris: [uri] });
  }
  return layers.flatMap((layer) => (layer ? [layer] : []));
}

async function skillsSnapshot(pages: MemoryPages, scope: MemoryScope): Promise<StandingPart | undefined> {
  const skills = (await ownPages(pages, 'skill', scope)).filter((head) => head.abstract.trim() !== '');
  if (skills.length === 0) return undefined;
  const lines = skills
    .map(({ title, abstract }) => `- ${title}: ${abstract.replace(/\s+/gu, ' ').trim()}`)
    .sort((a, b) => (a < b ? -1 : 1));
  return {
    kind: 'layer',
    name: 'skills',
    text: capped(`# Skills\n\n${lines.join('\n')}`),
    uris: skills.map(({ uri }) => uri),
  };
}

function capped(text: string): string {
  if (text.length <= longestLayer) return text;
  const note = `\n… (cut at ${longestLayer} characters)`;
  return `${text.slice(0, longestLayer - note.length).toWellFormed()}${note}`;
}
