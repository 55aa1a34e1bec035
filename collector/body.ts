import type { IncomingMessage } from 'node:http';
import { Refusal } from './reply.ts';

/** Bytes of all bodies that are being received; more than the limit is not held. */
export interface Budget {
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createBudget(limit: number): Budget {
  let used = 0;
  return {
    take(bytes) {
      if (used + bytes > limit) return false;
      used += bytes;
      return true;
    },
    give(bytes) {
      used -= bytes;
    },
  };
}

/**
 * Reads a body whole and hands it to `use`. A body that is refused is still read to its end and thrown
 * away by the server: a sender that is cut off while it sends often does not get to see the answer.
 */
export async function withBody<T>(
  request: IncomingMessage,
  { maxBytes, budget }: { readonly maxBytes: number; readonly budget: Budget },
  use: (body: Buffer) => Promise<T>,
): Promise<T> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  let held = 0;
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of keepOpen(request)) {
      if (held + chunk.length > maxBytes) throw tooLarge(maxBytes);
      if (!budget.take(chunk.length)) throw busy();
      held += chunk.length;
      chunks.push(chunk);
    }
    return await use(Buffer.concat(chunks));
  } finally {
    budget.give(held);
  }
}

/** Leaving the loop early must not destroy the request, and with it the connection of the answer. */
function keepOpen(request: IncomingMessage): AsyncIterable<Buffer> {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) };
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal(413, `a body may have ${maxBytes} bytes`);
}

function busy(): Refusal {
  return new Refusal(503, 'too many bodies at once', { 'retry-after': '1' });
}
