import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSessionStore } from './open-session-store.ts';
import { checkIntegrity } from './recovery/check-integrity.ts';
import { startChild } from './testing/child-process.ts';
import { advancementCommand } from './testing/samples.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

/** How many acknowledged commits the parent waits for before each kill. */
const kills = [1, 7, 20, 45];

it('S13: has exactly a prefix of the history after each SIGKILL, with everything that was acknowledged', async () => {
  const dataDir = temporaryDirectory();
  let next = 1;
  for (const commits of kills) {
    const child = startChild('append-in-a-loop.ts', dataDir, String(next));
    let acknowledged = next - 1;
    while (acknowledged < next - 1 + commits) acknowledged = Number(await child.nextLine());
    await child.kill();
    acknowledged = Number(child.lines.at(-1) ?? acknowledged);

    const store = openSessionStore({ dataDir, backups: 1 });
    onTestFinished(() => store.close());
    expect(store.wasUnclean).toBe(true);
    const [session] = await store.lookUpSessions('sess_1');
    const stored = (session?.lastSequence ?? 0) / 3;
    // One more may have been committed without the parent having heard of it.
    expect([acknowledged, acknowledged + 1]).toContain(stored);
    expect(session?.cursor).toBe(`cursor-${stored}`);
    const turns = await store.turnsInRange('sess_1', 1, 1_000_000, 1_000_000);
    const expected = Array.from({ length: stored }, (_, index) => advancementCommand(index + 1).turns).flat();
    expect(turns.map((turn) => turn.turnId)).toEqual(expected.map((turn) => turn.turnId));
    const bodies = await store.readBodies(expected.map((turn) => turn.contentHash));
    for (const turn of expected) expect(bodies.get(turn.contentHash)).toBe(turn.body);
    // A host that did not hear the answer asks again.
    expect((await store.appendTurns(advancementCommand(stored))).status).toBe('duplicate');
    await store.close();
    expect(checkIntegrity(join(dataDir, 'strata.db'))).toEqual([]);
    next = stored + 1;
  }
});
