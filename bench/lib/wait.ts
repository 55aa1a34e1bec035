export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Looks again and again until the check holds; throws when it never does. */
export async function waitFor(what: string, check: () => boolean, timeoutMs = 60_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!check()) {
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms for ${what} in vain`);
    await sleep(50);
  }
}
