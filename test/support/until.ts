/** Waits until the check gives something, in a bounded loop; fails with `what` when it never does. */
export async function until<T>(
  what: string,
  check: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  timeoutMs = 15_000,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (performance.now() > end) throw new Error(`gave up waiting for ${what} after ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
