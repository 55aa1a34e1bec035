import type { ParseContext } from '../../agent/contract/source.ts';

/** A context for parsers that are run on bytes in memory. */
export function plainContext(path: string): ParseContext {
  return {
    path,
    root: '.gemini',
    fileTime: () => '2026-11-29T18:00:00.000Z',
    project: () => '/home/alice/code/service',
    knownSession: () => undefined,
    small: { text: () => undefined, list: () => [] },
    isRunning: () => undefined,
    note() {},
  };
}
