import { parseDocument } from 'yaml';
import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import { memoryKindSchema, type MemoryKind } from './memory-kind.ts';

/** Name of pages that are of no kind: any other Markdown file. */
export const noteKind = 'note';

/**
 * A kind from the text of its file.
 * @param file its path, for messages
 * @throws EngineError `invalid_config`
 */
export function readKind(text: string, file: string): MemoryKind {
  const document = parseDocument(text, { version: '1.2', schema: 'core' });
  const [error] = document.errors;
  if (error) throw badKind(file, error.message.split('\n')[0] ?? 'no YAML');
  const parsed = memoryKindSchema.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw badKind(file, issue ? `${issue.path.join('.') || 'the file'}: ${issue.message}` : 'it has another form');
  }
  if (parsed.data.name === noteKind) throw badKind(file, `"${noteKind}" is the name of pages that are of no kind`);
  return parsed.data;
}

function badKind(file: string, problem: string): EngineError {
  return new EngineError(
    'invalid_config',
    `${file} does not describe a kind of memory: ${problem}. docs/memory.md says what such a file has in it.`,
    { details: { file } },
  );
}
