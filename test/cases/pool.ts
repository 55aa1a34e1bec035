/** Runs the tasks, at most `jobs` at a time, and tells of each as it ends. */
export async function runPool<T>(
  tasks: readonly (() => Promise<T>)[],
  jobs: number,
  onDone: (result: T) => void = () => {},
): Promise<T[]> {
  const results: T[] = [];
  const waiting = [...tasks.entries()];
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, task] = next;
      const result = await task();
      results[at] = result;
      onDone(result);
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  return results;
}
