// The borders of docs/architecture.md. Type-only imports count: a contract is a dependency too.
const tests = '(\\.test\\.tsx?$|/testing/)';
const builtins = '^node:';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that import each other are one file, or one of them knows too much.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'The import points nowhere, or at a package that package.json does not name.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(electron$|electron/|openclaw/)' },
    },
    {
      name: 'declared-packages-only',
      comment: 'A package that only happens to be in node_modules can vanish with the next install.',
      severity: 'error',
      from: { pathNot: tests },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: '^openclaw/' },
    },
    {
      name: 'shared-is-contracts-only',
      comment: 'src-shared runs everywhere: it imports its own files and zod, nothing of Node, Electron or the others.',
      severity: 'error',
      from: { path: '^src-shared/', pathNot: tests },
      to: { pathNot: ['^src-shared/', '(^|/)node_modules/zod/'] },
    },
    {
      name: 'engine-is-pure',
      comment: 'The engine gets clock, store, model and files as arguments: no doors, no SQL, no Electron.',
      severity: 'error',
      from: { path: '^src-main/engine/', pathNot: tests },
      to: {
        path: [
          '^src-main/(store|index|http|cli|desktop|workspace|providers)/',
          '^src-main/[^/]+\\.ts$',
          '^src-(renderer|plugin)/',
          '^(node:)?(http|https|http2|net|tls|dgram|dns|child_process|sqlite|cluster)$',
          '(^|/)node_modules/(better-sqlite3|hono|@hono|electron|commander|@types/better-sqlite3)/',
          '^(electron|better-sqlite3)$',
        ],
      },
    },
    {
      name: 'only-store-speaks-sql',
      severity: 'error',
      from: { pathNot: ['^src-main/(store|index)/', '^(bench|e2e|scripts)/', tests] },
      to: { path: ['(^|/)node_modules/(@types/)?better-sqlite3/', '^better-sqlite3$', '^(node:)?sqlite$'] },
    },
    {
      name: 'store-knows-no-door',
      comment: 'The store is the bottom: it sees the contracts, the port it implements, settings and the logger.',
      severity: 'error',
      from: { path: '^src-main/store/', pathNot: tests },
      to: {
        path: [
          '^src-main/(?!store/|engine/ports/|settings/|logger\\.ts$)',
          '^src-(renderer|plugin)/',
          '(^|/)node_modules/(hono|@hono|electron|commander)/',
          '^(node:)?https?$',
        ],
      },
    },
    {
      name: 'index-knows-no-door',
      comment: 'The index sees the contracts, the port it implements, and how words are cut.',
      severity: 'error',
      from: { path: '^src-main/index/', pathNot: tests },
      to: {
        path: [
          '^src-main/(?!index/|engine/ports/|engine/memory/indexing/)',
          '^src-(renderer|plugin)/',
          '(^|/)node_modules/(hono|@hono|electron|commander)/',
          '^(node:)?https?$',
        ],
      },
    },
    {
      name: 'only-desktop-imports-electron',
      severity: 'error',
      from: { pathNot: ['^src-main/desktop/', '^src-main/(main|boot)\\.ts$', '^e2e/electron/'] },
      to: { path: ['(^|/)node_modules/electron/', '^electron(/|$)'] },
    },
    {
      name: 'doors-do-not-import-each-other',
      comment:
        'HTTP, CLI and desktop are doors beside each other. The other two use the client of the HTTP door; the desktop also its files and its form of errors, which are the same in its window.',
      severity: 'error',
      from: { path: '^src-main/(http|cli|desktop)/', pathNot: tests },
      to: {
        path: '^src-main/(http|cli|desktop)/',
        pathNot: ['^src-main/$1/', '^src-main/http/(client/|inspector/|error-reply\\.ts$|endpoint-file\\.ts$)'],
      },
    },
    {
      name: 'nobody-imports-upwards',
      comment: 'Rooms do not import the files that start them.',
      severity: 'error',
      from: { path: '^src-main/(engine|store|index|providers|workspace|http)/', pathNot: tests },
      to: { path: '^src-main/(main|boot|daemon|cli|host)\\.ts$' },
    },
    {
      name: 'renderer-sees-contracts-only',
      severity: 'error',
      from: { path: '^src-renderer/', pathNot: tests },
      to: { path: ['^src-(main|plugin)/', '^(bench|e2e|scripts|bin)/', builtins, '^electron(/|$)'] },
    },
    {
      name: 'renderer-imports-no-node',
      severity: 'error',
      from: { path: '^src-renderer/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'plugin-sees-contracts-and-node',
      comment:
        'The plugin is one self-contained file inside another program: contracts, Node, the host, zod by way of them.',
      severity: 'error',
      from: { path: '^src-plugin/', pathNot: tests },
      to: { pathNot: ['^src-(plugin|shared)/', '^openclaw/', '(^|/)node_modules/zod/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'product-does-not-import-tests',
      severity: 'error',
      from: { path: '^(src-|bench/)', pathNot: tests },
      to: { path: [tests, '^e2e/', '(^|/)node_modules/(vitest|fast-check|playwright-core)/'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.main.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(out|coverage)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json'],
    },
  },
};
