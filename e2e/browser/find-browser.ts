import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

export interface FoundBrowser {
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** For the log: which one it is. */
  readonly name: string;
}

const installed = [
  process.env['STRATA_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A Chromium of the machine, else the one that comes as an npm package. */
export async function findBrowser(): Promise<FoundBrowser> {
  const own =
    process.env['STRATA_PACKAGED_CHROMIUM'] === '1' ? undefined : installed.find((path) => path && existsSync(path));
  if (own !== undefined) return { executablePath: own, args: quiet, env: {}, name: own };
  return packagedBrowser();
}

/** Unpacks the package's Chromium, and beside it the NSS libraries that a bare machine lacks. */
async function packagedBrowser(): Promise<FoundBrowser> {
  const { default: chromium } = await import('@sparticuz/chromium');
  const executablePath = await chromium.executablePath();
  const libraries = await unpackLibraries();
  const env = { LD_LIBRARY_PATH: [libraries, process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':') };
  // Its own arguments are for Lambda: one process for everything, which breaks a second window.
  return { executablePath, args: quiet, env, name: '@sparticuz/chromium' };
}

/** The package does this by itself only inside of Lambda. */
async function unpackLibraries(): Promise<string> {
  const folder = join(tmpdir(), 'strata-al2023');
  const lib = join(folder, 'lib');
  if (existsSync(join(folder, 'done'))) return lib;
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const packed = await readFile(join(packageRoot(entry), 'bin', 'al2023.tar.br'));
  const tar = await promisify(brotliDecompress)(packed);
  const work = await mkdtemp(join(tmpdir(), 'strata-tar-'));
  await writeFile(join(work, 'al2023.tar'), tar);
  await mkdir(folder, { recursive: true });
  await promisify(execFile)('tar', ['-xf', join(work, 'al2023.tar'), '-C', folder]);
  await rm(work, { recursive: true });
  if (!existsSync(lib)) throw new Error(`No lib folder in ${folder}: ${(await readdir(folder)).join(', ')}`);
  await writeFile(join(folder, 'done'), '');
  return lib;
}

function packageRoot(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'bin', 'al2023.tar.br'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error('@sparticuz/chromium has no bin/al2023.tar.br');
    folder = above;
  }
  return folder;
}
