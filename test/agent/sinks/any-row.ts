import fc from 'fast-check';
import { batchIdOf } from '../../../agent/contract/batch.ts';
import { AGENTS, ROLES, type Row, SELF, TURN_TYPES } from '../../../agent/contract/row.ts';
import type { Batch } from '../../../agent/contract/sink.ts';
import { batchOf, rowOf } from '../../support/batches.ts';

const text = fc.string({ unit: 'binary', maxLength: 30 });
const maybe = fc.option(text, { nil: null });
/** Also years that not every protocol can tell. */
const time = fc.option(
  fc
    .date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString()),
  { nil: null },
);
const fact = fc.oneof(text, fc.boolean(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));

const changes = fc.record({
  agent: fc.constantFrom(...AGENTS, SELF),
  turn_type: fc.constantFrom(...TURN_TYPES),
  role: fc.constantFrom(...ROLES),
  timestamp_utc: time,
  session_id: maybe,
  project_path: maybe,
  git_branch: maybe,
  model: maybe,
  tool_name: maybe,
  tool_use_id: maybe,
  event: fc.option(fc.constantFrom('session.start', 'permission.decision', 'message.error', 'other')),
  attributes: fc.dictionary(text, fact, { maxKeys: 5 }),
  masked: fc.dictionary(text, fc.nat(), { maxKeys: 2 }),
  labels: fc.dictionary(fc.stringMatching(/^[A-Za-z][\w.-]{0,9}$/), text, { maxKeys: 3 }),
  source_file: maybe,
  source_line: fc.option(fc.nat(), { nil: null }),
  recovered: fc.boolean(),
  os_user: maybe,
  host_name: fc.constantFrom('alice-laptop', 'other "host"\n'),
});

/** Batches of rows that hold anything a row may hold; no two rows have the same id. */
export const anyBatch: fc.Arbitrary<Batch & { readonly parsed: readonly Row[] }> = fc
  .array(fc.tuple(text, changes), { minLength: 1, maxLength: 12 })
  .map((list) => {
    const rows = list.map(([words, change], index) => ({
      ...rowOf(`${index} ${words}`, index + 1),
      ...change,
    }));
    return { ...batchOf(rows), id: batchIdOf(rows.map(({ row_id }) => row_id)), parsed: rows };
  });
