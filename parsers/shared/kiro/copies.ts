import { hash } from 'node:crypto';
import type { Emit } from '../../../agent/contract/row.ts';

/**
 * Rows that the record itself gives under the same ids, with more about them: they wait, and are what is left where no
 * record gives them.
 */
export function copiesOf(emit: Emit): Emit {
  return (row) => {
    const facts = [row.sessionKey, row.record, row.part, row.content ?? row.text];
    emit({ ...row, copyOf: `converted ${hash('sha256', JSON.stringify(facts), 'base64url')}` });
  };
}
