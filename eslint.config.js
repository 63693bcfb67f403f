import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const mainFiles = [
  'src-main/**/*.ts',
  'src-shared/**/*.ts',
  'bench/**/*.ts',
  'e2e/**/*.ts',
  'scripts/**/*.ts',
  '*.config.ts',
];
const pluginFiles = ['src-plugin/**/*.ts'];
const rendererFiles = ['src-renderer/**/*.ts', 'src-renderer/**/*.tsx'];
const testFiles = [
  '**/*.test.ts',
  '**/*.test.tsx',
  'src-*/**/testing/**/*.ts',
  'src-*/**/testing/**/*.tsx',
  'e2e/**/*.ts',
];

const typed = (files, project) => ({
  files,
  languageOptions: { parserOptions: { project, tsconfigRootDir: import.meta.dirname } },
});

const plainNode = Object.fromEntries(
  [
    'AbortController',
    'AbortSignal',
    'Buffer',
    'URL',
    'URLSearchParams',
    'clearInterval',
    'clearTimeout',
    'console',
    'fetch',
    'performance',
    'process',
    'setInterval',
    'setTimeout',
    'structuredClone',
  ].map((name) => [name, 'readonly']),
);

export default defineConfig(
  globalIgnores(['out/', 'node_modules/', 'coverage/', '.cache/', 'e2e/fixtures/', 'src-plugin/fixtures/']),
  js.configs.recommended,
  {
    rules: {
      eqeqeq: ['error', 'always'],
      // Control characters in messages are input of this product and matched on purpose.
      'no-control-regex': 'off',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only: a file is named after what it exports.' },
      ],
      'prefer-const': 'error',
    },
  },
  {
    files: [...mainFiles, ...pluginFiles, ...rendererFiles],
    extends: [tseslint.configs.recommendedTypeChecked],
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Ports and the engine's API are asynchronous by contract, also where one implementation has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
    },
  },
  typed(mainFiles, './tsconfig.main.json'),
  typed(pluginFiles, './tsconfig.plugin.json'),
  typed(rendererFiles, './tsconfig.renderer.json'),
  { ...reactHooks.configs.flat.recommended, files: rendererFiles },
  // Speaks of what the React Compiler would skip; none runs here.
  { files: rendererFiles, rules: { 'react-hooks/incompatible-library': 'off' } },
  {
    files: testFiles,
    rules: {
      // Tests look into parsed JSON of other programs; a wrong shape fails the assertion that follows.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // The host, the test runner and the build tools look for a default export here.
    files: ['*.config.ts', '*.config.js', 'src-plugin/index.ts', 'src-*/**/testing/**/*.ts', 'e2e/openclaw/**/*.mjs'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: { ...plainNode, module: 'writable', require: 'readonly', __dirname: 'readonly' } },
  },
);
