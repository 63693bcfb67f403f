const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Resolves with the first signal that asks this process to end. One Ctrl-C may arrive several times, from the terminal
 * and from the launcher above us, so that only one that comes a while later means "at once".
 */
export function untilStopped(patienceMs = 2_000): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (first === undefined) {
        first = performance.now();
        resolve(signal);
      } else if (performance.now() - first > patienceMs) {
        process.exit(130);
      }
    };
    for (const signal of signals) process.on(signal, onSignal);
  });
}
