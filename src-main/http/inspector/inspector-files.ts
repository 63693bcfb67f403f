import { readFile, realpath } from 'node:fs/promises';
import { extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { errorCode } from '../../settings/file-failure.ts';
import { inspectorPolicy } from '../security-headers.ts';

export interface InspectorFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers the paths of the inspector out of its build; unknown ones open the page itself. */
export interface InspectorFiles {
  /**
   * @param pathname still percent-encoded, as in the URL
   * @throws EngineError `not_found`
   */
  read(pathname: string): Promise<InspectorFile>;
}

/** @param directory the build, with `index.html` and hashed files under `assets/`; undefined when there is none */
export function inspectorFiles(directory: string | undefined): InspectorFiles {
  return {
    async read(pathname) {
      const path = decodePath(pathname);
      const found = directory === undefined || path === '/' ? undefined : await readInside(directory, path);
      if (found) return { bytes: found, headers: headersOf(path) };
      // A missing script must fail as such: a page in its place would only fail later and darker.
      if (path.startsWith('/assets/') || extname(path) in contentTypes) {
        throw new EngineError('not_found', 'The inspector has no such file. Reload the page.');
      }
      const page = directory === undefined ? undefined : await readInside(directory, '/index.html');
      return { bytes: page ?? notBuiltPage, headers: headersOf('/index.html') };
    },
  };
}

function decodePath(pathname: string): string {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch (error) {
    throw new EngineError('not_found', 'The path is not valid percent-encoded UTF-8.', { cause: error });
  }
  if (path.includes('\0')) throw new EngineError('not_found', 'The path holds a NUL character.');
  return path;
}

async function readInside(directory: string, path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = resolve(directory, `.${sep}${path}`);
  if (!isInside(directory, file)) return undefined;
  try {
    // Both resolved, because the build may itself lie behind a symbolic link, and must not hold one that leads out.
    const [root, real] = await Promise.all([realpath(directory), realpath(file)]);
    if (!isInside(root, real)) return undefined;
    return new Uint8Array(await readFile(real));
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

function isInside(directory: string, file: string): boolean {
  const way = relative(directory, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function headersOf(path: string): Record<string, string> {
  const isPage = extname(path) === '.html';
  return {
    'Content-Type': contentTypes[extname(path)] ?? 'application/octet-stream',
    'Content-Security-Policy': inspectorPolicy,
    // Files under assets/ have the hash of their content in their name.
    'Cache-Control': path.startsWith('/assets/')
      ? 'public, max-age=31536000, immutable'
      : isPage
        ? 'no-store'
        : 'no-cache',
  };
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

const notBuiltPage = new Uint8Array(
  Buffer.from(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Strata</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:4em auto;padding:0 1em}</style>
<h1>The inspector is not built</h1>
<p>The daemon runs, but the files of its inspector are missing. Run <code>npm run build</code> in Strata's folder,
then reload this page. The daemon need not be restarted.</p>
</html>
`),
);
