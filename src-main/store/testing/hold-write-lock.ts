// Child of tests: another program that holds the database's write lock for some time, then lets go.
import Database from 'better-sqlite3';

const [file = '', ms = '60000'] = process.argv.slice(2);
const db = new Database(file);
db.exec('BEGIN IMMEDIATE');
console.log('locked');
setTimeout(() => {
  db.exec('ROLLBACK');
  console.log('released');
}, Number(ms));
