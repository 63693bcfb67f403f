import type {
  PageAuthor,
  PageHead,
  PageStatus,
  PageVersion,
  PageVisibility,
} from '../../src-shared/model/memory-page.ts';
import { parseUri, type PageUri } from '../../src-shared/model/uri.ts';

export function pageStatusWord(status: PageStatus): string {
  switch (status) {
    case 'active':
      return 'Active';
    case 'superseded':
      return 'Superseded';
    case 'retired':
      return 'Retired';
  }
}

export function pageStatusMeaning(status: PageStatus): string {
  switch (status) {
    case 'active':
      return 'It holds: recall may find it and put it into a context';
    case 'superseded':
      return 'Another page holds instead; recall leaves it out, the file and its history stay';
    case 'retired':
      return 'It holds no longer; recall leaves it out, the file and its history stay';
  }
}

export function visibilityMeaning(visibility: PageVisibility): string {
  return visibility === 'shared'
    ? 'May be read where others listen: in groups, by sub-agents and in scheduled runs'
    : 'Read only in private conversations of its owner';
}

/** Who wrote a version, as the subject of a sentence. */
export function authorWord(author: PageAuthor): string {
  switch (author) {
    case 'user':
      return 'You';
    case 'agent':
      return 'The agent';
    case 'extraction':
      return 'Extraction';
    case 'dream':
      return 'A dream';
    case 'import':
      return 'An import';
  }
}

export function changeWord(change: PageVersion['change']): string {
  switch (change) {
    case 'created':
      return 'created';
    case 'changed':
      return 'changed';
    case 'renamed':
      return 'moved';
    case 'restored':
      return 'restored';
    case 'deleted':
      return 'deleted the file';
  }
}

/** The parts of a page's URI; undefined for anything else. */
export function pageUriOf(uri: string): PageUri | undefined {
  try {
    const parsed = parseUri(uri);
    return parsed.kind === 'page' ? parsed : undefined;
  } catch {
    // Shown as it is where it stands.
    return undefined;
  }
}

/** Whose page it is: `user local`, `agent main`, `workspace`. */
export function ownerWords(uri: string): string {
  const page = pageUriOf(uri);
  if (page?.owner === 'user') return `user ${page.userId}`;
  return page?.owner === 'agent' ? `agent ${page.agentId}` : 'workspace';
}

/** Its title; the name of its file where it has none. */
export function pageName(head: Pick<PageHead, 'title' | 'path'>): string {
  return head.title === '' ? head.path.slice(head.path.lastIndexOf('/') + 1) : head.title;
}

/** The last part of a page's address, for where its title is not known. */
export function nameInUri(uri: string): string {
  const page = pageUriOf(uri);
  return page === undefined ? uri : page.path.slice(page.path.lastIndexOf('/') + 1);
}
