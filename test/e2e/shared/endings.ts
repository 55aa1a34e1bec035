const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * What this process started in groups and servers of its own must not outlive it. A signal does what it would
 * have done, only later. Returns the way to take the promise back.
 */
export function endWithUs(end: () => void): () => void {
  const endThenDie = (signal: NodeJS.Signals) => {
    end();
    process.kill(process.pid, signal);
  };
  process.once('exit', end);
  for (const signal of SIGNALS) process.once(signal, endThenDie);
  return () => {
    process.removeListener('exit', end);
    for (const signal of SIGNALS) process.removeListener(signal, endThenDie);
  };
}
