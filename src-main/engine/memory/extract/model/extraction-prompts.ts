import { EngineError } from '../../../../../src-shared/model/engine-error.ts';

export type ExtractionPart = 'system' | 'turns' | 'known' | 'retry' | 'finish';

/** The texts that a model is asked with for memories, and the version that is recorded. */
export interface ExtractionPrompts {
  /** Such as `extraction@1`. */
  readonly version: string;
  readonly parts: Readonly<Record<ExtractionPart, string>>;
}

/**
 * Reads `resources/prompts/extraction.md`: a version in its front matter, then parts, each after a comment that names it.
 * @throws EngineError `internal` when the version or a part is missing; the file belongs to the program
 */
export function readExtractionPrompts(text: string): ExtractionPrompts {
  const version = /^---\r?\nversion:\s*([\w.-]+)\s*\r?\n---/.exec(text)?.[1];
  if (version === undefined) throw incomplete('a version in its front matter');
  const pieces = text.split(/^<!-- part: (\w+) -->\s*$/m);
  const part = (name: ExtractionPart): string => {
    const at = pieces.indexOf(name);
    const content = at % 2 === 1 ? pieces[at + 1]?.trim() : undefined;
    if (content) return content;
    throw incomplete(`the part ${name}`);
  };
  return {
    version: `extraction@${version}`,
    parts: {
      system: part('system'),
      turns: part('turns'),
      known: part('known'),
      retry: part('retry'),
      finish: part('finish'),
    },
  };
}

function incomplete(what: string): EngineError {
  return new EngineError('internal', `The prompt file extraction.md must have ${what}. Restore it from the release.`);
}
