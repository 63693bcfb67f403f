// Child of tests: opens the store of a data directory and keeps it until it is killed, or until `ms` have passed.
import { openSessionStore } from '../open-session-store.ts';

const [dataDir = '', ms = '60000'] = process.argv.slice(2);
const store = openSessionStore({ dataDir, backups: 2 });
console.log('open');
setTimeout(() => {
  void store.close().then(() => console.log('closed'));
}, Number(ms));
