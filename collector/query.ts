import type Database from 'better-sqlite3';
import { type Filters, whereOf } from './filters.ts';
import { countIn, missingBetween, type SeqRange } from './gaps.ts';

/** A page of rows, oldest arrival first. `next` continues after it; undefined when it was the last one. */
export interface RowPage {
  readonly ndjson: string;
  readonly next: number | undefined;
}

export interface Queries {
  rows(filters: Filters): RowPage;
  hosts(filters: Filters): unknown[];
  sessions(filters: Filters): unknown[];
  totals(): { readonly rows: number; readonly hosts: number };
}

/** A page ends at this size even when more rows were asked for. */
const PAGE_BYTES = 16 << 20;
/** Ranges of missing numbers that are listed for one host. */
const LISTED_RANGES = 100;

interface HostLine {
  readonly host: string;
  readonly epoch: string;
  readonly host_name: string | null;
  readonly rows: number;
  readonly first_seen: number;
  readonly last_seen: number;
  readonly heartbeat: string | null;
}

export function createQueries(db: Database.Database): Queries {
  const ranges = db.prepare<[string, string], SeqRange>(
    'SELECT first, last FROM ranges WHERE host = ? AND epoch = ? ORDER BY first',
  );
  const totals = db.prepare<[], { rows: number; hosts: number }>(
    'SELECT coalesce(sum(rows), 0) AS rows, count(DISTINCT host) AS hosts FROM hosts',
  );
  return {
    rows: (filters) => pageOf(db, filters),
    hosts(filters) {
      const { where, values } = whereOf(filters, { host: 'host = ?', epoch: 'epoch = ?' });
      return db
        .prepare<unknown[], HostLine>(`SELECT * FROM hosts ${where} ORDER BY last_seen DESC LIMIT ?`)
        .all(...values, filters.limit)
        .map((line) => describeHost(line, ranges.all(line.host, line.epoch)));
    },
    sessions(filters) {
      const { where, values } = whereOf(filters, { host: 'host = ?', agent: 'agent = ?' });
      return db
        .prepare(
          `SELECT host, agent, session, project, user, first, last, rows, prompts FROM sessions ${where}
           ORDER BY last_received DESC LIMIT ?`,
        )
        .all(...values, filters.limit);
    },
    totals: () => totals.get() ?? { rows: 0, hosts: 0 },
  };
}

function pageOf(db: Database.Database, filters: Filters): RowPage {
  const { where, values } = whereOf(filters, {
    session: 'session = ?',
    agent: 'agent = ?',
    event: 'event = ?',
    host: 'host = ?',
    epoch: 'epoch = ?',
    since_seq: 'seq > ?',
    after: 'id > ?',
  });
  const select = db.prepare<unknown[], { id: number; json: string }>(
    `SELECT id, json FROM rows ${where} ORDER BY id LIMIT ?`,
  );
  const lines: string[] = [];
  let bytes = 0;
  let last = 0;
  // One more than asked for tells whether there is a next page.
  for (const { id, json } of select.iterate(...values, filters.limit + 1)) {
    if (lines.length === filters.limit || bytes > PAGE_BYTES) return { ndjson: lines.join(''), next: last };
    lines.push(`${json}\n`);
    bytes += json.length;
    last = id;
  }
  return { ndjson: lines.join(''), next: undefined };
}

function describeHost(line: HostLine, ranges: readonly SeqRange[]): unknown {
  const missing = missingBetween(ranges);
  return {
    host: line.host,
    epoch: line.epoch,
    host_name: line.host_name,
    rows: line.rows,
    first_seq: ranges.at(0)?.first ?? null,
    last_seq: ranges.at(-1)?.last ?? null,
    missing_rows: countIn(missing),
    missing: missing.slice(0, LISTED_RANGES),
    first_seen: new Date(line.first_seen).toISOString(),
    last_seen: new Date(line.last_seen).toISOString(),
    heartbeat: line.heartbeat === null ? null : JSON.parse(line.heartbeat),
  };
}
