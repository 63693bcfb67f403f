import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { resultStub, synopsisVersion } from './result-stub.ts';

const lines = (line: (at: number) => string) => Array.from({ length: 400 }, (_, at) => line(at)).join('\n');

const samples = [
  lines((at) => `Row ${at} says that all is well.`),
  lines((at) => `2026-11-02T09:00:00Z ${at % 40 === 0 ? 'ERROR timeout' : 'INFO done'} ${at}`),
  JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id, name: `n${id}`, tags: ['a', 'b'] }))),
  lines((at) => `${at},name ${at},${at * 3}`),
  lines((at) => `export function f${at}(a: string): number {\n  return a.length + ${at};\n}`),
  `diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ -1,400 +1,400 @@\n${lines((at) => `${at % 2 ? '+' : '-'}line ${at}`)}`,
  lines((at) => `第 ${at} 行:一切正常。`),
];

it('stubs look as their version says: who changes them raises synopsisVersion, and sets the hash anew', () => {
  const stubs = samples.map((text) =>
    resultStub({ uri: 'strata://tool-result/0', toolName: 'read', text, imagesLeftOut: 0, synopsisCharacters: 1_500 }),
  );
  const digest = createHash('sha256').update(JSON.stringify(stubs)).digest('hex');
  expect([synopsisVersion, digest]).toEqual([1, '21126a84a9f5815c243987ffe750e2c46582064330e6e3b5b2750bf0f23e8c4d']);
});
