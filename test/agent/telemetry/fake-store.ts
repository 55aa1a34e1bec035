import type { TailSource } from '../../../agent/telemetry/tail-stream.ts';

/** A store that commits what it is told and forgets what it is told. */
export function fakeStore(firstSegment = 1) {
  const listeners = new Set<() => void>();
  const held: { segment: number; ndjson: Buffer }[] = [];
  let [segment, seq, looks] = [firstSegment - 1, 0, 0];
  const source: TailSource = {
    committedAfter(after, limit) {
      looks++;
      return held.filter((entry) => entry.segment > after).slice(0, limit);
    },
    lastSegment: () => segment,
    onCommit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    source,
    listeners,
    looks: () => looks,
    commit(rows: number, text = '') {
      const lines = Array.from({ length: rows }, () => `${JSON.stringify({ seq: ++seq, text })}\n`);
      held.push({ segment: ++segment, ndjson: Buffer.from(lines.join('')) });
      for (const listener of [...listeners]) listener();
    },
    forget: (segments: number) => void held.splice(0, segments),
  };
}
