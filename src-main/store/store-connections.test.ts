import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openReader, openWriter } from './sqlite/open-connection.ts';
import { verifyPragmas } from './sqlite/apply-pragmas.ts';
import { StoreConnections } from './store-connections.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

function open() {
  const file = join(temporaryDirectory(), 'test.db');
  const writer = openWriter(file, 100);
  writer.script('CREATE TABLE notes (text TEXT) STRICT');
  const connections = new StoreConnections(writer, openReader(file, 100), () => undefined);
  onTestFinished(() => connections.close());
  const insert = writer.command<[string]>('INSERT INTO notes VALUES (?)');
  const all = connections.reader.query<[], { text: string }>('SELECT text FROM notes');
  return { connections, writer, insert, notes: () => all.all().map(({ text }) => text) };
}

describe('StoreConnections.writeLoosely', () => {
  it('does not wait for the disk, and every other commit does again', () => {
    const { connections, writer, insert, notes } = open();
    const during = connections.writeLoosely(() => {
      insert.run('a');
      return writer.pragma('synchronous');
    });
    expect(during).toBe(1);
    expect(notes()).toEqual(['a']);
    expect(() => verifyPragmas(writer, 'writer')).not.toThrow();
  });

  it('happens wholly or not at all, and leaves the settings as they were when it fails', () => {
    const { connections, writer, insert, notes } = open();
    const failing = (): never => {
      insert.run('a');
      throw new Error('in the middle');
    };
    expect(() => connections.writeLoosely(failing)).toThrow(expect.objectContaining({ code: 'store_failed' }));
    expect(notes()).toEqual([]);
    expect(() => verifyPragmas(writer, 'writer')).not.toThrow();
  });
});
