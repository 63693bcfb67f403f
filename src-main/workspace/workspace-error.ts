import { EngineError } from '../../src-shared/model/engine-error.ts';

/** The system's code of a file error, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function isMissing(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

const descriptions: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of the path is a file, not a directory',
  EISDIR: 'a directory is in its place',
  EEXIST: 'something is in its place',
  ELOOP: 'it is a symbolic link, or its links go round in a circle',
  ENAMETOOLONG: 'the path is too long for the file system',
  EMFILE: 'too many files are open',
  EIO: 'the disk reports an error',
};

/** What the file system threw, as `disk_full` or `workspace_blocked` with a remedy. */
export function workspaceError(error: unknown, path: string): EngineError {
  if (error instanceof EngineError) return error;
  const code = systemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new EngineError('disk_full', `No space left to write ${path}. Free some space, then try again.`, {
      cause: error,
    });
  }
  const what = descriptions[code ?? ''] ?? `the system answered ${code ?? String(error)}`;
  return new EngineError(
    'workspace_blocked',
    `Cannot use ${path} of the workspace: ${what}. Make it readable and writable for you, or name another directory under memory.workspace in config.yaml.`,
    { details: { path, system_code: code ?? 'unknown' }, cause: error },
  );
}
