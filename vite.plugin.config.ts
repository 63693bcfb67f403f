import { copyFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;
const outDir = resolve(root, 'out/openclaw-plugin');
const manifests = ['openclaw.plugin.json', 'package.json'];

/** The OpenClaw plugin: one file that needs nothing but Node and the host. */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [
    {
      name: 'plugin-manifests',
      closeBundle() {
        for (const name of manifests) copyFileSync(resolve(root, 'src-plugin', name), resolve(outDir, name));
      },
    },
  ],
  build: {
    outDir,
    emptyOutDir: true,
    // kB; read from the disk.
    chunkSizeWarningLimit: 4_000,
    target: 'node22',
    ssr: true,
    minify: false,
    sourcemap: false,
    rolldownOptions: {
      input: { index: resolve(root, 'src-plugin/index.ts') },
      external: [/^openclaw(\/|$)/, /^node:/, ...builtinModules],
      output: { format: 'es', entryFileNames: '[name].js', codeSplitting: false },
    },
  },
  ssr: { noExternal: true, external: [] },
});
