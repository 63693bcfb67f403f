// Child of tests: commits one advancement of three turns after the other, printing each number once it was
// acknowledged, until it is killed.
import { writeSync } from 'node:fs';
import { openSessionStore } from '../open-session-store.ts';
import { advancementCommand, sampleIdentity } from './samples.ts';

const [dataDir = '', first = '1'] = process.argv.slice(2);
const store = openSessionStore({ dataDir, backups: 2 });
await store.openSession(sampleIdentity(), 1_000, 'sess_1');
for (let number = Number(first); ; number += 1) {
  await store.appendTurns(advancementCommand(number));
  // Unlike console.log this is done when it returns: what was acknowledged before the kill is known.
  writeSync(1, `${number}\n`);
}
