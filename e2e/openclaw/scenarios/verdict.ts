import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '../suite.ts';

/** Troubles that the host reports in its log; while the daemon was down the plugin said so, and nothing else. */
const troubles = [/degraded to "?legacy/i, /using pipeline messages/i, /context engine .* failed/i, /\[strata\]/];
const expected = /No daemon answers|is not running|did not answer|has not heard/;

/** What must be true of everything that ran before. */
export const verdict: readonly Scenario[] = [
  {
    name: 'stored rows equal the entries of the transcript, in every session',
    run: async (suite) => {
      // Hosts that show a turn before they write it mark its messages only then.
      const late = suite.host.install.version < '2026.9';
      const asCaptured = (message: unknown): unknown => (late ? withoutMarks(message) : message);
      const transcripts = await suite.transcripts(suite.keys);
      for (const [key, transcript] of transcripts) {
        // Where a host compacts inside its session it rewrites the failed attempt in its file, and shows that to nobody.
        if (suite.host.isOldest && key === 'agent:main:overflow') continue;
        const sessions = (await suite.daemon.sessions()).filter(({ session_key: other }) => other === key);
        const stored = [];
        for (const session of sessions.toReversed()) stored.push(...(await suite.daemon.turns(session.session_uid)));
        const raws = stored.map(({ raw }) => raw);
        assert.ok(transcript.length > 0, `the transcript of ${key} can be read`);
        assert.deepEqual(raws.map(asCaptured), transcript.map(asCaptured), `stored rows of ${key}`);
      }
    },
  },
  {
    name: 'H01: no turn ran without the engine',
    run: async ({ host, daemon }) => {
      const lines = host.log().split('\n');
      const unexpected = lines.filter((line) => troubles.some((trouble) => trouble.test(line)) && !expected.test(line));
      assert.deepEqual(unexpected, []);
      const health = await daemon.health();
      assert.equal(health.host.link, 'active');
      assert.equal(health.host.host_version, host.install.version);
      assert.deepEqual(
        health.alarms.filter(({ code }) => code === 'engine_bypassed'),
        [],
      );
    },
  },
  {
    name: 'nothing was left waiting, nothing was refused, and the daemon had no error',
    run: (suite) => {
      assert.deepEqual(suite.spooled(), []);
      assert.equal(existsSync(join(suite.daemon.dataDir, 'spool', 'rejected')), false);
      assert.ok(!readFileSync(join(suite.work, 'daemon.log'), 'utf8').includes('"level":"error"'));
      return Promise.resolve();
    },
  },
];

function withoutMarks(message: unknown): unknown {
  const { __openclaw: _marks, ...rest } = message as Record<string, unknown>;
  return rest;
}
