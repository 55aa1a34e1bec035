import type { Channel } from './channel.ts';
import type { CommitPort } from './outlet.ts';
import { encodeCommit, type FromCapture, type ToCapture } from './protocol.ts';

/** Commits sent and not yet answered are bounded: a keeper that cannot write makes capture stop reading. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_COMMITS = 256;

export interface CommitWindow {
  readonly port: CommitPort;
  onAck(n: number): void;
}

/** The capture side of the commit channel. */
export function createCommitWindow(channel: Channel<ToCapture, FromCapture>): CommitWindow {
  const unanswered = new Map<number, number>();
  let bytes = 0;
  let next = 1;
  let waiters: { ready: () => boolean; resolve: () => void }[] = [];

  const hasRoom = () => bytes < MAX_BYTES && unanswered.size < MAX_COMMITS;
  const isEmpty = () => unanswered.size === 0;

  function wait(ready: () => boolean): Promise<void> {
    if (ready()) return Promise.resolve();
    return new Promise((resolve) => waiters.push({ ready, resolve }));
  }

  return {
    port: {
      commit(commit) {
        const n = next++;
        const { header, payload } = encodeCommit(n, commit);
        unanswered.set(n, payload.length);
        bytes += payload.length;
        channel.send(header, payload);
      },
      room: () => wait(hasRoom),
      settled: () => wait(isEmpty),
    },
    onAck(n) {
      bytes -= unanswered.get(n) ?? 0;
      unanswered.delete(n);
      const ready = waiters.filter((waiter) => waiter.ready());
      waiters = waiters.filter((waiter) => !ready.includes(waiter));
      for (const { resolve } of ready) resolve();
    },
  };
}
