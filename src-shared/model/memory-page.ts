import { z } from 'zod';

/** Who wrote a version of a page. */
export const pageAuthorSchema = z.enum(['user', 'agent', 'extraction', 'dream', 'import']);
export type PageAuthor = z.infer<typeof pageAuthorSchema>;

/** `superseded` and `retired` pages stay on disk and in the history; recall leaves them out. */
export const pageStatusSchema = z.enum(['active', 'superseded', 'retired']);
export type PageStatus = z.infer<typeof pageStatusSchema>;

/** `shared` pages may be read where others listen: in groups, by sub-agents and in scheduled runs. */
export const pageVisibilitySchema = z.enum(['private', 'shared']);
export type PageVisibility = z.infer<typeof pageVisibilitySchema>;

export const pageLinkSchema = z.object({
  /** URI of the page that is pointed at. */
  to: z.string(),
  /** `mentions`, or a relation such as `works_at`; lower case, words joined by `_`. */
  type: z.string(),
});
export type PageLink = z.infer<typeof pageLinkSchema>;

/** One dated line below the compiled truth: evidence, only ever added to. */
export const timelineEntrySchema = z.object({
  /** `YYYY-MM-DD`. */
  date: z.string(),
  text: z.string(),
  /** URI of the turn it comes from, or a name of the source. */
  source: z.string().optional(),
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

/** What is known of a page without its text. */
export const pageHeadSchema = z.object({
  uri: z.string(),
  /** Of the file, within the workspace; parts are joined by `/`. */
  path: z.string(),
  /** Name of a kind (`preference`, `entity` …), or `note` for any other Markdown file. */
  kind: z.string(),
  title: z.string(),
  aliases: z.array(z.string()),
  tags: z.array(z.string()),
  /** Labels such as `domain:code`; with labels, the page is read only where one of them is asked for. */
  scope: z.array(z.string()),
  visibility: pageVisibilitySchema,
  status: pageStatusSchema,
  /** URI of the page that holds instead. */
  superseded_by: z.string().optional(),
  pinned: z.boolean(),
  /** Counts versions of the page from 1. */
  version: z.int().positive(),
  /** Hex SHA-256 of the file's bytes. */
  content_hash: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** About 100 tokens. */
  abstract: z.string(),
  /** Turns and files that it comes from, as URIs. */
  sources: z.array(z.string()),
  /** Bytes of the file. */
  size: z.int().nonnegative(),
  /** The file cannot be read as a page; it is shown and kept as it is. */
  problem: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type PageHead = z.infer<typeof pageHeadSchema>;

/** A Markdown file of the workspace: front matter, the compiled truth, and below it the timeline. */
export const memoryPageSchema = pageHeadSchema.extend({
  /** About 500 tokens. */
  overview: z.string(),
  /** Markdown between the front matter and the timeline: what is held to be true now. */
  truth: z.string(),
  timeline: z.array(timelineEntrySchema),
  /** Those of the front matter; those of the text are found by the index. */
  links: z.array(pageLinkSchema),
  /** The whole file as text. */
  content: z.string(),
});
export type MemoryPage = z.infer<typeof memoryPageSchema>;

export const pageVersionSchema = z.object({
  uri: z.string(),
  version: z.int().positive(),
  content_hash: z.string(),
  at: z.string(),
  author: pageAuthorSchema,
  /** Why it was written, in a few words. */
  reason: z.string().optional(),
  size: z.int().nonnegative(),
  /** `deleted`: the file was gone after it. */
  change: z.enum(['created', 'changed', 'renamed', 'restored', 'deleted']),
});
export type PageVersion = z.infer<typeof pageVersionSchema>;
