import { type FSWatcher, watch } from 'chokidar';
import { errnoOf, messageOf } from '../contract/errors.ts';
import type { Layout } from './layout.ts';

export interface WatchListener {
  /** Something about this path changed; what, the reader finds out. */
  onChange(path: string): void;
  onGone(path: string): void;
  /** From now on there are events; what came into being before, some of them do not tell of. */
  onReady(): void;
  /** Events may have been lost: look for yourself. */
  onDoubt(code: string): void;
  /** The system refuses watches; there will be no events until started again. */
  onRefused(code: string): void;
}

export interface Watcher {
  start(): void;
  /** Watches a further directory: the target of a linked one. */
  add(dir: string): void;
  stop(): Promise<void>;
}

/** The system is out of watches (ENOSPC) or of watch instances or descriptors (EMFILE, ENFILE). */
const REFUSALS = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);

/**
 * A thin layer over chokidar. `atomic` off, or names like "x~" are suppressed; links not followed; never
 * awaitWriteFinish, which gives no event at all while a session is being written (docs/reading.md).
 */
export function createWatcher(layout: Layout, listener: WatchListener): Watcher {
  let watcher: FSWatcher | undefined;
  const extra = new Set<string>();

  function onError(error: unknown): void {
    const code = errnoOf(error) ?? 'unknown';
    if (!watcher) return;
    if (REFUSALS.has(code)) {
      void close();
      listener.onRefused(code);
    } else listener.onDoubt(code);
  }

  async function close(): Promise<void> {
    const closing = watcher;
    watcher = undefined;
    await closing?.close();
  }

  return {
    start() {
      const dirs = [...layout.roots.map(({ dir }) => dir), ...extra];
      try {
        watcher = watch(dirs, {
          ignored: (path, stats) => isIgnored(layout, path, stats),
          ignoreInitial: true,
          followSymlinks: false,
          atomic: false,
          ignorePermissionErrors: true,
        });
      } catch (error) {
        listener.onRefused(errnoOf(error) ?? messageOf(error));
        return;
      }
      watcher.on('error', onError);
      watcher.on('ready', () => listener.onReady());
      for (const event of ['add', 'addDir', 'change'] as const)
        watcher.on(event, (path) => listener.onChange(path));
      for (const event of ['unlink', 'unlinkDir'] as const)
        watcher.on(event, (path) => listener.onGone(path));
    },
    add(dir) {
      if (extra.has(dir)) return;
      extra.add(dir);
      watcher?.add(dir);
    },
    stop: close,
  };
}

/** Only directories that can hold source files are watched, and only source files are remembered. */
function isIgnored(
  layout: Layout,
  path: string,
  stats: { isDirectory(): boolean; isFile(): boolean } | undefined,
): boolean {
  const places = [...layout.places(path)];
  if (!stats || places.length === 0 || places.some(({ relative }) => relative === '')) return false;
  if (stats.isDirectory())
    return places.every(({ root, relative }) => root.source.skipDirectory(relative, root.place));
  return stats.isFile() && layout.file(path) === undefined;
}
