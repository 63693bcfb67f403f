import { EngineError } from '../../../src-shared/model/engine-error.ts';

export type PromptPart =
  | 'system'
  | 'identifiers_strict'
  | 'identifiers_relaxed'
  | 'identifiers_none'
  | 'focus'
  | 'size'
  | 'previous'
  | 'so_far'
  | 'subagents'
  | 'turns'
  | 'condense'
  | 'retry'
  | 'finish';

/** The texts that a model is asked with, and the version that a summary records. */
export interface Prompts {
  /** Such as `compaction@1`. */
  readonly version: string;
  readonly parts: Readonly<Record<PromptPart, string>>;
}

/**
 * Reads `resources/prompts/compaction.md`: a version in its front matter, then parts, each after a comment that names it.
 * @throws EngineError `internal` when the version or a part is missing; the file belongs to the program
 */
export function readPrompts(text: string): Prompts {
  const version = /^---\r?\n[^]*?^version:\s*([\w.-]+)\s*$[^]*?^---\s*$/m.exec(text)?.[1];
  if (version === undefined) throw incomplete('a version in its front matter');
  const pieces = text.split(/^<!-- part: (\w+) -->\s*$/m);
  const found = new Map<string, string>();
  for (let index = 1; index < pieces.length; index += 2) {
    found.set(pieces[index] ?? '', (pieces[index + 1] ?? '').trim());
  }
  const part = (name: PromptPart): string => {
    const content = found.get(name);
    if (content) return content;
    throw incomplete(`the part ${name}`);
  };
  return {
    version: `compaction@${version}`,
    parts: {
      system: part('system'),
      identifiers_strict: part('identifiers_strict'),
      identifiers_relaxed: part('identifiers_relaxed'),
      identifiers_none: part('identifiers_none'),
      focus: part('focus'),
      size: part('size'),
      previous: part('previous'),
      so_far: part('so_far'),
      subagents: part('subagents'),
      turns: part('turns'),
      condense: part('condense'),
      retry: part('retry'),
      finish: part('finish'),
    },
  };
}

function incomplete(what: string): EngineError {
  return new EngineError('internal', `The prompt file compaction.md must have ${what}. Restore it from the release.`);
}

/** Puts values into `{{name}}`; in one pass, so that nothing in a value is taken for a placeholder. */
export function fillPrompt(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}
