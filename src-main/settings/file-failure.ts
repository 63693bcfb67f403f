import { EngineError } from '../../src-shared/model/engine-error.ts';

/** Turns what the file system threw about `path` into `disk_full` or `data_dir_blocked` with a remedy. */
export function fileFailure(error: unknown, path: string, remedy: string): EngineError {
  if (error instanceof EngineError) return error;
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new EngineError('disk_full', `No space left to write ${path}. Free some space, then try again.`, {
      cause: error,
    });
  }
  const what = descriptions[code ?? ''] ?? `the system answered ${code ?? 'an unknown error'}`;
  return new EngineError('data_dir_blocked', `Cannot use ${path}: ${what}. ${remedy}.`, {
    details: { path, system_code: code ?? 'unknown' },
    cause: error,
  });
}

/** The system's code of a file error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const descriptions: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file, not a directory',
  EEXIST: 'a file is in its place',
  EISDIR: 'a directory is in its place',
  ELOOP: 'its symbolic links go round in a circle',
  ENAMETOOLONG: 'the path is too long',
};
