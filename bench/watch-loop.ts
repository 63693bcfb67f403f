// Loaded into a daemon that is measured, before its own code: how long its event loop was held up at a time.

const tick = 5;
let longest = { wallMs: 0, cpuMs: 0 };
let at = performance.now();
let used = cpuMs();

setInterval(() => {
  const now = performance.now();
  const usedNow = cpuMs();
  const wallMs = now - at - tick;
  if (wallMs > longest.wallMs) longest = { ...longest, wallMs };
  // The thread may also have worked while it was not held up: what it worked in one go is no longer than the wait.
  const worked = Math.min(usedNow - used, wallMs);
  if (worked > longest.cpuMs) longest = { ...longest, cpuMs: worked };
  at = now;
  used = usedNow;
}, tick).unref();

process.on('message', () => {
  process.send?.(longest);
  longest = { wallMs: 0, cpuMs: 0 };
});
process.channel?.unref();

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
