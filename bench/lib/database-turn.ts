import { hash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import Database from 'better-sqlite3';
import { cellsOf, listTable } from '../../agent/capture/database/listing.ts';
import { digest, type Note, noteOf } from '../../agent/capture/database/note.ts';
import { tailBytesOf, wholePayload } from '../../agent/capture/database/payload.ts';
import { readSchema } from '../../agent/capture/database/schema.ts';
import { besideOf } from '../../agent/capture/database/side-files.ts';
import { takeSnapshot } from '../../agent/capture/database/snapshot.ts';
import { openSourceFile } from '../../agent/capture/open-file.ts';
import type { DatabaseSpec } from '../../agent/contract/source.ts';
import { systemClock } from '../../agent/platform/clock.ts';
import { median } from './stats.ts';

const ENTRY_CHARS = 7_000;
const ANCHOR_BYTES = 4_096;
const OTHERS = 60;
const CHECKS = 1_000;

const SPEC: DatabaseSpec = {
  kind: 'database',
  name: 'bench',
  role: 'primary',
  matches: () => true,
  tables: [{ name: 'conversations', key: ['key'], columns: ['value'], parse: () => undefined }],
};

/** One conversation of so many megabytes among small ones. */
export function makeConversation(path: string, megabytes: number): void {
  const db = new Database(path);
  db.exec('CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT)');
  const insert = db.prepare('INSERT INTO conversations VALUES (?, ?)');
  for (let at = 0; at < OTHERS; at++)
    insert.run(`/home/alice/p${at}`, JSON.stringify({ history: [entry(at)] }));
  const entries = Array.from({ length: Math.round((megabytes * 1_000_000) / ENTRY_CHARS) }, (_, at) =>
    entry(at),
  );
  insert.run('/home/alice/app', JSON.stringify({ history: entries }));
  db.close();
}

function entry(at: number): Record<string, string> {
  return { id: `entry ${at}`, text: 'what was said, "quoted" '.repeat(ENTRY_CHARS / 24) };
}

export interface TurnCosts {
  readonly fullMs: number;
  readonly readMs: number;
  /** Nothing changed: the state of the files is as it was. */
  readonly unchangedMs: number;
  /** Something changed, but no record. */
  readonly lookMs: number;
}

/** CPU of reading one more turn in both ways, in turn, and of finding that there is none. */
export function turnCosts(path: string, rounds: number): TurnCosts {
  const samples: TurnCosts[] = [];
  const notes = new Map<string, Note>();
  const known = look(path, notes);
  for (let round = 0; round < rounds; round++) {
    samples.push({
      fullMs: cpuMs(() => parseAll(path)),
      readMs: cpuMs(() => readTurn(path, notes, known - 20_000)),
      unchangedMs: cpuMs(() => checkState(path)) / CHECKS,
      lookMs: cpuMs(() => look(path, notes)),
    });
  }
  const of = (name: keyof TurnCosts) => median(samples.map((sample) => sample[name]));
  return { fullMs: of('fullMs'), readMs: of('readMs'), unchangedMs: of('unchangedMs'), lookMs: of('lookMs') };
}

/** What a sweep asks of a database that it knows; so often that the clock of the CPU can tell. */
function checkState(path: string): void {
  for (let check = 0; check < CHECKS; check++) {
    lstatSync(path, { bigint: true });
    besideOf(path);
  }
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function parseAll(path: string): void {
  const db = new Database(path, { readonly: true });
  const value = db
    .prepare("SELECT value FROM conversations WHERE key = '/home/alice/app'")
    .pluck()
    .get() as string;
  db.close();
  JSON.parse(value);
}

/** The large record as if it had changed: read whole, the end of what was told found again, the rest parsed. */
function readTurn(path: string, notes: Map<string, Note>, known: number): void {
  const others = new Map([...notes].filter(([, { key }]) => key[0] !== '/home/alice/app'));
  look(path, others, (value) => {
    hash('sha256', value.subarray(known - ANCHOR_BYTES, known));
    const start = value.indexOf('{"id"', known);
    JSON.parse(`[${value.toString('utf8', start, value.length - 1)}`);
  });
}

/** One look as capture takes it; gives the length of the largest value read. */
function look(path: string, notes: Map<string, Note>, parse: (value: Buffer) => void = () => {}): number {
  besideOf(path);
  const opened = openSourceFile(path, null);
  if (opened.kind !== 'open') throw new Error('the database went away');
  using file = opened.file;
  const deps = { path, ownerUid: null, clock: systemClock, settleMs: 0, until: () => false };
  const result = takeSnapshot(file, { wal: undefined, journal: undefined }, deps);
  if (result.kind !== 'open') throw new Error('the database cannot be read');
  using snapshot = result.snapshot;
  const { pages } = snapshot;
  const walk = { pages, onBad: fail, check: () => {} };
  const [table] = SPEC.tables;
  const info = readSchema(SPEC, walk).tables.get('conversations');
  if (!info || !table) throw new Error('no table');
  let largest = 0;
  for (const record of listTable({ table, info }, walk, { notes, version: 1, most: 100 }).changed) {
    const { payload, lastPage } = wholePayload(pages, record.cell);
    const { value } = cellsOf(record, { payload, pages });
    if (!Buffer.isBuffer(value)) continue;
    parse(value);
    largest = Math.max(largest, value.length);
    const tail = digest(payload.subarray(payload.length - tailBytesOf(pages, record.cell)));
    const { name, key, stamp } = record;
    notes.set(
      name,
      noteOf({ version: 1, table: table.name, key, stamp, tailPage: lastPage, tail }, undefined),
    );
  }
  if (!snapshot.isIntact()) throw new Error('somebody wrote');
  return largest;
}

function fail(error: Error): never {
  throw error;
}
