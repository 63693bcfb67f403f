import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { configSchema, type Config } from '../../src-shared/model/config.ts';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import { defaultConfigText } from './default-config-text.ts';
import { errorCode, fileFailure } from './file-failure.ts';

/**
 * Reads `config.yaml` of the data directory; a missing file means the defaults.
 * @throws EngineError `invalid_config`, naming key, line, what was expected and what is there
 */
export async function loadConfig(dataDir: string): Promise<Config> {
  const path = configPath(dataDir);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return configSchema.parse({});
    throw fileFailure(error, path, 'Make the file readable for you, or remove it to get the defaults');
  }
  return parseConfig(text, path);
}

/** Writes the commented defaults when there is no file yet; an existing one is never touched. */
export async function createConfigFile(dataDir: string): Promise<'created' | 'present'> {
  const path = configPath(dataDir);
  try {
    await writeFile(path, defaultConfigText(), { flag: 'wx', mode: 0o600 });
    return 'created';
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'present';
    throw fileFailure(error, path, 'Make its directory writable for you');
  }
}

function configPath(dataDir: string): string {
  return join(dataDir, 'config.yaml');
}

/** `path` is only for the messages. */
export function parseConfig(text: string, path: string): Config {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken) {
    const { line } = lines.linePos(broken.pos[0]);
    throw invalid(path, line, undefined, `it is not valid YAML (${broken.message})`);
  }
  const value: unknown = readValue(document, path);
  const parsed = configSchema.safeParse(withoutEmptySections(value));
  if (parsed.success) return parsed.data;
  throw fromIssues(parsed.error.issues, { document, lines, path, value });
}

function readValue(document: Document, path: string): unknown {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return value ?? {};
  } catch (error) {
    // Aliases that multiply, or point nowhere.
    const reason = error instanceof Error ? error.message : String(error);
    throw invalid(path, undefined, undefined, `it cannot be read (${reason})`);
  }
}

/** A section whose lines are all commented out reads as null, at any depth; it means the defaults. */
function withoutEmptySections(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, content]) =>
      content === null ? [] : [[key, withoutEmptySections(content)] as const],
    ),
  );
}

interface ConfigFile {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly path: string;
  readonly value: unknown;
}

function fromIssues(issues: readonly z.core.$ZodIssue[], file: ConfigFile): EngineError {
  const issue = issues[0];
  if (!issue) return invalid(file.path, undefined, undefined, 'it does not match what is expected');
  if (issue.code === 'unrecognized_keys') {
    const keyPath = [...issue.path, issue.keys[0] ?? ''];
    const known = knownKeys(issue.path).join(', ');
    return invalid(file.path, lineOf(file, keyPath), keyPath, `the key is unknown${known && `; known here: ${known}`}`);
  }
  const got = JSON.stringify(valueAt(file.value, issue.path))?.slice(0, 100) ?? 'nothing';
  const expectation = issue.message.replace(/^Invalid (input|option): /, '').replace(/, received .*$/, '');
  return invalid(file.path, lineOf(file, issue.path), issue.path, `${expectation}, got ${got}`);
}

function invalid(
  path: string,
  line: number | undefined,
  keyPath: readonly PropertyKey[] | undefined,
  problem: string,
): EngineError {
  const key = keyPath?.map(String).join('.');
  const place = line === undefined ? path : `${path}, line ${line}`;
  return new EngineError(
    'invalid_config',
    `${place}: ${key ? `${key}: ` : ''}${problem}. Correct the line, or remove it to get the default.`,
    { details: { path, ...(key ? { key } : {}), ...(line === undefined ? {} : { line }) } },
  );
}

function lineOf(file: ConfigFile, keyPath: readonly PropertyKey[]): number | undefined {
  // From the whole path up: a missing key has no node, its section has one.
  for (let length = keyPath.length; length > 0; length -= 1) {
    const node = file.document.getIn(keyPath.slice(0, length), true);
    const start = rangeStart(node);
    if (start !== undefined) return file.lines.linePos(start).line;
  }
  return undefined;
}

function rangeStart(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  const start: unknown = node.range[0];
  return typeof start === 'number' ? start : undefined;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = Reflect.get(current, key);
  }
  return current;
}

function knownKeys(path: readonly PropertyKey[]): string[] {
  const section = path[0] === undefined ? configSchema.parse({}) : valueAt(configSchema.parse({}), path);
  return typeof section === 'object' && section !== null ? Object.keys(section) : [];
}
