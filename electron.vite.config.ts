import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { existsSync, globSync } from 'node:fs';
import { basename, resolve } from 'node:path';

const root = import.meta.dirname;

/** kB. All of it is read from this machine’s disk: what Vite warns of concerns downloads. */
const chunkSizeWarningLimit = 4_000;

/** Threads are files of their own, beside the bundle, under the name that their starters look for. */
const workers = Object.fromEntries(
  globSync('src-main/**/*-worker.ts', { cwd: root }).map((file) => [basename(file, '.ts'), resolve(root, file)]),
);

const programs = Object.fromEntries(
  Object.entries({ main: 'src-main/main.ts', daemon: 'src-main/daemon.ts', cli: 'src-main/cli/main.ts' })
    .map(([name, file]): [string, string] => [name, resolve(root, file)])
    .filter(([, file]) => existsSync(file)),
);

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      chunkSizeWarningLimit,
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        input: { ...programs, ...workers },
        // Chunks stay beside the programs: code that looks for a neighbour by its own URL finds it from any of them.
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload is loaded as CommonJS and can require nothing but electron.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve(root, 'src-main/desktop/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(root, 'src-renderer'),
    plugins: [
      react(),
      // electron-vite sets "./" for file:// pages. Ours are served from the root of an origin, over HTTP and app://, and
      // under deep links a relative address would lead elsewhere.
      { name: 'absolute-base', enforce: 'post', config: () => ({ base: '/' }) },
    ],
    build: {
      outDir: resolve(root, 'out/renderer'),
      chunkSizeWarningLimit,
      emptyOutDir: true,
      // electron-vite leaves it off; the page is read by browsers, and its stack traces are of no use without its source.
      minify: true,
      rolldownOptions: { input: { index: resolve(root, 'src-renderer/index.html') } },
    },
  },
});
