import { decodeName } from '../pages/file-names.ts';

/** Whether a line of MEMORY.md has a link to a page of another user or agent: the index lists pages of several. */
export function isLineOfOthers(
  line: string,
  { userId, agentId }: { readonly userId: string; readonly agentId: string },
): boolean {
  // A title may have the beginning of a link in it: no link of the line leads to somebody else.
  for (const [, folder, name = ''] of line.matchAll(/\]\((?:\.\/)?memories\/(users|agents)\/([^/)\n]+)\//g)) {
    const id = decodeName(decoded(name)) ?? decoded(name);
    if (id !== (folder === 'users' ? userId : agentId)) return true;
  }
  return false;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
