import { FileWorkspace } from '../file-workspace.ts';

// A process of its own that adds lines to one page, each by reading it, adding to it, and writing it if nobody wrote
// meanwhile. Arguments: root, path, name, count.
const [root = '', path = '', name = '', count = '0'] = process.argv.slice(2);
const workspace = new FileWorkspace({ root, largestFile: 5_000_000, lockWaitMs: 60_000 });

let conflicts = 0;
for (let at = 0; at < Number(count);) {
  const file = await workspace.read(path);
  const before = Buffer.from(file?.bytes ?? []).toString();
  const outcome = await workspace.write(path, Buffer.from(`${before}${name} ${at}\n`), file?.hash ?? null);
  if (outcome.status === 'written') at += 1;
  else conflicts += 1;
}
process.stdout.write(String(conflicts));
