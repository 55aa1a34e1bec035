/** What the fixtures hold for each kind of source file, and what every row of it must keep. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DraftRow } from '../../agent/contract/row.ts';
import { TIMESTAMP_SOURCES, TURN_TYPES } from '../../agent/contract/row.ts';
import type { FileSpec, Source } from '../../agent/contract/source.ts';
import { filesIn, fixtureBytes, fixtureRoots } from './support.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');

export interface Sample {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Files of the fixtures that the spec reads. */
export function samplesOf(source: Source, spec: FileSpec): Sample[] {
  const folder = join(FIXTURES, source.id);
  const samples: Sample[] = [];
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    for (const root of fixtureRoots(source, join(folder, name, 'home')))
      for (const file of filesIn(source, root))
        if (file.spec === spec)
          samples.push({ path: file.path, bytes: fixtureBytes(join(root.dir, file.path)) });
  }
  return samples;
}

export function assertRow(row: DraftRow): void {
  assert.ok(row.record !== '' && row.part !== '');
  assert.ok(TURN_TYPES.includes(row.turn_type));
  assert.ok(row.text.isWellFormed() && !row.text.includes('\0'));
  assert.ok(row.timestamp_source === undefined || TIMESTAMP_SOURCES.includes(row.timestamp_source));
  const time = row.timestamp_utc ?? null;
  if (time !== null) assert.equal(new Date(time).toISOString(), time);
  assert.equal(time === null, (row.timestamp_source ?? 'none') === 'none');
  assert.equal(row.turn_type === 'system', (row.event ?? null) !== null);
  for (const value of Object.values(row.attributes ?? {})) {
    assert.ok(['string', 'number', 'boolean'].includes(typeof value));
    if (typeof value === 'string') assert.ok(value.isWellFormed() && !value.includes('\0'));
  }
}
