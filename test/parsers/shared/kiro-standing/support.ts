import assert from 'node:assert/strict';
import type { StandingEntry, StandingSpec } from '../../../../agent/contract/source.ts';
import { fakeContext } from '../../support.ts';

/** Entries that a reader finds in a file. */
export function entriesOf(
  read: StandingSpec['read'],
  path: string,
  content: unknown,
): readonly StandingEntry[] {
  const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  const result = read({ bytes, settled: true }, fakeContext(path));
  assert.equal(result.kind, 'entries');
  return result.kind === 'entries' ? result.entries : [];
}
