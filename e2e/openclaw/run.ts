/**
 * Drives a real OpenClaw with a scripted model through the plugin and a real daemon:
 *   npm run e2e:openclaw [-- --host 2026.8.2] [--only S45] [--keep]
 * The host is installed once into a cache outside the repository. Everything runs on loopback in a temporary directory.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installHost } from './install-host.ts';
import { OpenClawHost } from './openclaw-host.ts';
import { runScenarios } from './run-scenarios.ts';
import { backgroundCompaction } from './scenarios/background-compaction.ts';
import { compaction } from './scenarios/compaction.ts';
import { conversation } from './scenarios/conversation.ts';
import { largeResults } from './scenarios/large-results.ts';
import { lifeCycle } from './scenarios/life-cycle.ts';
import { memory } from './scenarios/memory.ts';
import { setUp } from './scenarios/set-up.ts';
import { verdict } from './scenarios/verdict.ts';
import { ScriptedModel } from './scripted-model.ts';
import { StrataDaemon } from './strata-daemon.ts';
import { Suite } from './suite.ts';

const repository = join(import.meta.dirname, '..', '..');
const options = {
  host: { type: 'string', default: '2026.9.6' },
  /** Runs the scenarios whose names contain one of these; some build on others and fail alone. */
  only: { type: 'string', multiple: true },
  keep: { type: 'boolean', default: false },
} as const;

const scenarios = [
  ...setUp,
  ...conversation,
  ...compaction,
  ...backgroundCompaction,
  ...largeResults,
  ...memory,
  ...lifeCycle,
  ...verdict,
];

process.exitCode = await main(parseArgs({ options }).values);

interface Arguments {
  readonly host: string;
  readonly only?: readonly string[] | undefined;
  readonly keep: boolean;
}

async function main({ host: version, only = [''], keep }: Arguments): Promise<number> {
  buildPlugin();
  const install = installHost(version);
  const work = mkdtempSync(join(tmpdir(), 'strata-e2e-openclaw-'));
  const model = new ScriptedModel();
  const daemon = new StrataDaemon(join(work, 'strata'), join(work, 'daemon.log'));
  const host = new OpenClawHost(install, join(work, 'home'), daemon.dataDir);
  const suite = new Suite({ host, daemon, model, work });
  let counts = { passed: 0, failed: 1 };
  try {
    await daemon.start();
    await host.configure(await model.start());
    // Long limits: on a busy machine the host itself takes seconds, and a fallback would hide what is tested here.
    const settings = { dataDir: daemon.dataDir, timeoutMs: 10_000, toolResultThresholdChars: 12_000 };
    const installed = await host.installPlugin(join(repository, 'out', 'openclaw-plugin'), settings);
    assert.equal(installed.code, 0, installed.output);
    await host.startGateway();
    console.log(`OpenClaw ${version}`);
    counts = await runScenarios(
      suite,
      scenarios.filter(({ name }) => only.some((part) => name.includes(part))),
    );
  } finally {
    await host.stopGateway();
    await daemon.stop();
    await model.stop();
    if (keep || counts.failed > 0) console.log(`Logs and data: ${work}`);
    else rmSync(work, { recursive: true, force: true });
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 ? 0 : 1;
}

function buildPlugin(): void {
  const vite = join(repository, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--config', 'vite.plugin.config.ts', '--logLevel', 'warn'];
  const built = spawnSync(process.execPath, args, { cwd: repository, encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
}
