import type { ParseContext } from '../../contract/source.ts';
import { createProcessTable } from '../../platform/processes.ts';

/** Answers whether processes that stores name are still there. A time that cannot be read is no answer. */
export function createRunning(): ParseContext['isRunning'] {
  const table = createProcessTable();
  return (pid, since) => {
    const ms = Date.parse(since);
    if (!Number.isSafeInteger(pid) || pid <= 0 || Number.isNaN(ms)) return undefined;
    return table.runsSince(pid, ms);
  };
}
