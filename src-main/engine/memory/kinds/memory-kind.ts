import { z } from 'zod';

const nameSchema = z.string().regex(/^[a-z][a-z0-9_-]{0,49}$/, 'expected lower-case letters, digits, - and _');

/** A kind of memory as its YAML file declares it. */
export const memoryKindSchema = z.strictObject({
  name: nameSchema,
  description: z.string().max(2_000),
  /** Whose pages of the kind are. */
  owner: z.enum(['user', 'agent']),
  /** Folder below the memories of the owner; empty: right there. */
  folder: z
    .string()
    .regex(/^([a-z0-9_-]{1,60}(\/[a-z0-9_-]{1,60}){0,3})?$/, 'expected names joined by /')
    .default(''),
  /** The owner has one page of the kind, with this name. */
  single: nameSchema.optional(),
  /**
   * What becomes of a new statement about a page that is there. `merge`: it takes the place of what was said about the
   * same topic; `aggregate`: it is added to what is held to be true; `append`: it is one more entry of the timeline.
   */
  policy: z.enum(['merge', 'aggregate', 'append']),
  visibility: z.enum(['private', 'shared']).default('private'),
  /** How the abstract is made where the page has none. */
  abstract: z.enum(['first_paragraph', 'statements', 'newest_entry']).default('first_paragraph'),
  /** Front matter that pages of the kind have beyond the common fields. */
  fields: z
    .record(
      nameSchema,
      z.strictObject({
        type: z.enum(['text', 'list', 'date', 'number', 'flag']),
        description: z.string().max(1_000),
        required: z.boolean().default(false),
        /** Its values are links of this type to other pages. */
        link: nameSchema.optional(),
      }),
    )
    .default({}),
  /** For extraction: what such a memory sounds like, and examples. */
  hints: z
    .strictObject({
      en: z.array(z.string().max(500)).max(100).default([]),
      zh: z.array(z.string().max(500)).max(100).default([]),
    })
    .prefault({}),
});
export type MemoryKind = z.infer<typeof memoryKindSchema>;
