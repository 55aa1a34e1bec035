import assert from 'node:assert/strict';
import { cellsOf, listTable } from '../../../../agent/capture/database/listing.ts';
import { Malformed } from '../../../../agent/capture/database/malformed.ts';
import type { SnapshotMemory } from '../../../../agent/capture/database/memory.ts';
import { wholePayload } from '../../../../agent/capture/database/payload.ts';
import { readSchema } from '../../../../agent/capture/database/schema.ts';
import { type Snapshot, takeSnapshot } from '../../../../agent/capture/database/snapshot.ts';
import { openSourceFile } from '../../../../agent/capture/open-file.ts';
import type { Cell, DatabaseSpec } from '../../../../agent/contract/source.ts';
import { systemClock } from '../../../../agent/platform/clock.ts';

const SPEC: DatabaseSpec = {
  kind: 'database',
  name: 'any',
  role: 'primary',
  matches: () => true,
  tables: [{ name: 'things', key: ['k'], columns: ['a', 'b', 'late'], parse: () => undefined }],
};

export type Values = readonly Cell[];

/** Every record of `things`; undefined when the database was written meanwhile. Damage is passed over. */
export function readThings(
  path: string,
  memory: SnapshotMemory = { wal: undefined, journal: undefined },
  settleMs = 0,
): Values[] | undefined {
  const opened = openSourceFile(path, null);
  assert.ok(opened.kind === 'open');
  using file = opened.file;
  const deps = { path, ownerUid: null, clock: systemClock, settleMs, until: () => false };
  const result = takeSnapshot(file, memory, deps);
  if (result.kind !== 'open') return result.kind === 'moving' ? undefined : [];
  using snapshot = result.snapshot;
  const values = passingOver(() => thingsIn(snapshot)) ?? [];
  return snapshot.isIntact() ? values : undefined;
}

function thingsIn({ pages }: Snapshot): Values[] {
  const walk = { pages, onBad: () => {}, check: () => {} };
  const [table] = SPEC.tables;
  const info = readSchema(SPEC, walk).tables.get('things');
  if (!info || !table) return [];
  const { changed } = listTable({ table, info }, walk, { notes: new Map(), version: 1, most: 1_000 });
  return changed.flatMap((record) => {
    const cells = passingOver(() =>
      cellsOf(record, { payload: wholePayload(pages, record.cell).payload, pages }),
    );
    return cells ? [['k', 'a', 'b', 'late'].map((name) => cells[name] ?? null)] : [];
  });
}

function passingOver<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}
