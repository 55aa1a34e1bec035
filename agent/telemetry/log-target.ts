import type { Writable } from 'node:stream';

/** Where finished lines go. Never throws and never waits: what it cannot take comes back through `failed`. */
export interface LogTarget {
  write(line: string, failed: (line: string) => void): void;
  /** Resolves when everything taken is written, or cannot be. */
  close(): Promise<void>;
}

/** More than this waiting means that the other end does not read; the agent must not pile it up. */
export const MAX_PENDING_BYTES = 1024 * 1024;

/** A stream that belongs to someone else: standard error. It is never ended. */
export function streamTarget(stream: Writable): LogTarget {
  // Without a listener an EPIPE would end the process. The failed write itself answers below.
  stream.on('error', ignore);
  return {
    write(line, failed) {
      if (!stream.writable || stream.writableLength > MAX_PENDING_BYTES) return failed(line);
      stream.write(`${line}\n`, (error) => {
        if (error) failed(line);
      });
    },
    close: () =>
      new Promise((resolve) => {
        if (!stream.writable) return resolve();
        stream.write('', () => resolve());
      }),
  };
}

/** Lines that the first target does not take go to the second; `lost` counts those that neither takes. */
export function withFallback(target: LogTarget, fallback: LogTarget, lost: () => void): LogTarget {
  return {
    write: (line) => target.write(line, (failed) => fallback.write(failed, lost)),
    async close() {
      await target.close();
      await fallback.close();
    },
  };
}

function ignore(): void {}
