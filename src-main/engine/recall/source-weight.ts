import type { IndexHit } from '../ports/memory-index.ts';

/**
 * Journals and logs (daily notes, chats that were saved) repeat whatever was talked about, at length; a page that
 * somebody wrote about one thing says it. They are known by the date that they are named by.
 */
export function sourceWeight({ source, title, uri }: Pick<IndexHit, 'source' | 'title' | 'uri'>): number {
  if (source !== 'page') return 1;
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  return dated.test(title) || dated.test(name) ? logWeight : 1;
}

const dated = /^(?:19|20)\d\d[-_.年]?(?:0?[1-9]|1[0-2])[-_.月]?(?:0?[1-9]|[12]\d|3[01])(?!\d)/u;
const logWeight = 0.85;
