import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { migrate } from '../migrations/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { SqliteSessionStore } from '../sqlite-session-store.ts';
import { StoreConnections } from '../store-connections.ts';
import { advancementCommand, sampleIdentity } from '../testing/samples.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { verifyPragmas } from './apply-pragmas.ts';
import { openReader, openWriter } from './open-connection.ts';
import { toStoreError } from './to-store-error.ts';

function openConnections() {
  const file = join(temporaryDirectory(), 'strata.db');
  const writer = openWriter(file, 0);
  migrate(writer, migrations, () => undefined);
  const connections = new StoreConnections(writer, openReader(file, 0), () => undefined);
  const store = new SqliteSessionStore(connections, () => connections.close());
  onTestFinished(() => store.close());
  return { store, writer, connections };
}

describe('a full disk', () => {
  it('is answered with disk_full, stores nothing, and leaves reading and later writing possible', async () => {
    const { store, writer } = openConnections();
    await store.openSession(sampleIdentity(), 1, 'sess_1');
    await store.appendTurns(advancementCommand(1));
    // SQLite reports a database at its page limit exactly as it reports a file system without space.
    writer.pragma(`max_page_count = ${Number(writer.pragma('page_count'))}`);
    const failing = Array.from({ length: 200 }, (_, index) => store.appendTurns(advancementCommand(index + 2)));
    const outcomes = await Promise.allSettled(failing);
    const stored = outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
    expect(outcomes.at(-1)).toMatchObject({ reason: { code: 'disk_full' } });
    expect((await store.stats()).turns).toBe(3 + stored * 3);
    writer.pragma('max_page_count = 1000000');
    expect(await store.appendTurns(advancementCommand(900))).toMatchObject({ status: 'stored' });
  });
});

describe('toStoreError', () => {
  it('passes errors of our own through', () => {
    const own = new EngineError('unknown_call', 'no');
    expect(toStoreError(own)).toBe(own);
  });

  it('keeps the cause of anything else', () => {
    const cause = new TypeError('odd');
    expect(toStoreError(cause)).toMatchObject({ code: 'store_failed', cause });
    expect(toStoreError('text')).toMatchObject({ code: 'store_failed' });
  });
});

describe('the two handles', () => {
  it('SQLite itself keeps the reader from writing', () => {
    const { connections } = openConnections();
    expect(() => connections.reader.query("INSERT INTO meta VALUES ('a', 'b') RETURNING name").all()).toThrow(
      /readonly/,
    );
  });

  it('a pragma that does not hold is refused with its name and values', () => {
    const { connections, writer } = openConnections();
    writer.pragma('synchronous = NORMAL');
    expect(() => verifyPragmas(writer, 'writer')).toThrow(
      expect.objectContaining({ code: 'store_failed', details: { pragma: 'synchronous', expected: 2, actual: 1 } }),
    );
    expect(() => verifyPragmas(connections.reader, 'reader')).not.toThrow();
  });
});
