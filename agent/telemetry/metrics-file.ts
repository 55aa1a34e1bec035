import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes the metrics where a node exporter's textfile collector finds them. It reads at any moment, so the
 * file is replaced as a whole. Readable by all: that collector is another user, and there is nothing secret in it.
 */
export async function writeMetricsFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.new`;
  await rm(fresh, { force: true });
  // Exclusive: a link that someone put in its place is not followed.
  const handle = await open(fresh, 'wx', 0o644);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
  await rename(fresh, path);
}
