import type Database from 'better-sqlite3';
import {
  CLAIM_BYTES,
  COPY_BYTES,
  type CommitRows,
  NO_SESSION,
  type SessionFacts,
} from '../contract/commit.ts';
import { linesOf } from '../contract/lines.ts';
import { LANES, type Lane } from '../contract/row.ts';
import { ROW_ID_BYTES } from '../contract/row-id.ts';

/** A copy whose time is over and whose name nobody claimed: it is the only one left. */
export interface ReleasedCopies {
  readonly lane: Lane;
  readonly rows: CommitRows;
}

export interface CopyTable {
  /** Inside a transaction: these names are taken; copies under them that wait are no rows. */
  claim(names: Buffer): void;
  /** Inside a transaction: keeps rows back that nobody has claimed and that are no rows already. */
  hold(
    rows: CommitRows,
    place: { readonly home: string; readonly lane: Lane; readonly due: number | null },
  ): void;
  /** The first scan of a home is over: its copies wait until `due` from now on. */
  schedule(home: string, due: number): void;
  isDue(now: number): boolean;
  /** How many wait. */
  count(): number;
  /** Inside a transaction: takes out what is due, one lane at a time; undefined when nothing is. */
  release(now: number): ReleasedCopies | undefined;
}

/** Released in one transaction. */
const SLICE = 500;

interface HeldRow {
  readonly id: Buffer;
  readonly name: Buffer;
  readonly claim: Buffer | null;
  readonly lane: number;
  readonly turn: number;
  readonly session: string | null;
  readonly line: Buffer;
}

export function createCopyTable(db: Database.Database, day: () => number): CopyTable {
  const addClaim = db.prepare<[Buffer, number]>('INSERT OR IGNORE INTO claims (name, day) VALUES (?, ?)');
  const sightClaim = db.prepare<[number, Buffer, number]>(
    'UPDATE claims SET day = ? WHERE name = ? AND day < ?',
  );
  const sightRow = db.prepare<[number, Buffer, number]>('UPDATE seen SET day = ? WHERE id = ? AND day < ?');
  const isClaimed = db.prepare<[Buffer], { found: number }>('SELECT 1 AS found FROM claims WHERE name = ?');
  const dropCopies = db.prepare<[Buffer]>('DELETE FROM copies WHERE name = ?');
  const hold = db.prepare(`
    INSERT OR IGNORE INTO copies (id, name, claim, home, lane, due, turn, session, line)
    SELECT @id, @name, @claim, @home, @lane, @due, @turn, @session, @line
    WHERE NOT EXISTS (SELECT 1 FROM claims WHERE name = @name) AND NOT EXISTS (SELECT 1 FROM seen WHERE id = @id)`);
  const schedule = db.prepare<[number, string]>('UPDATE copies SET due = ? WHERE home = ? AND due IS NULL');
  const due = db.prepare<[number, number], HeldRow>(
    'SELECT id, name, claim, lane, turn, session, line FROM copies WHERE due <= ? ORDER BY claim IS NULL, lane, due LIMIT ?',
  );
  const anyDue = db.prepare<[number], { found: number }>(
    'SELECT 1 AS found FROM copies WHERE due <= ? LIMIT 1',
  );
  const drop = db.prepare<[Buffer]>('DELETE FROM copies WHERE id = ?');

  const count = db.prepare<[], { count: number }>(
    'SELECT count(*) AS count FROM copies INDEXED BY copies_by_name',
  );
  const anyHeld = db.prepare<[], { found: number }>('SELECT 1 AS found FROM copies LIMIT 1');
  /** Asked twice a second: while nothing waits, the database need not be. */
  let mayWait = true;

  /** Claims for a copy that becomes a row; false when its own name was claimed meanwhile. */
  function claimOf(name: Buffer, claim: Buffer | null): boolean {
    if (isClaimed.get(name) !== undefined) return false;
    if (claim !== null) addClaim.run(claim, day());
    return true;
  }

  return {
    claim(names) {
      const today = names.length === 0 ? 0 : day();
      for (let at = 0; at < names.length; at += CLAIM_BYTES) {
        const name = names.subarray(at, at + CLAIM_BYTES);
        if (addClaim.run(name, today).changes === 1) dropCopies.run(name);
        else sightClaim.run(today, name, today);
      }
    },
    hold(rows, { home, lane, due: dueAt }) {
      mayWait = true;
      const today = day();
      let row = 0;
      for (const line of linesOf(rows.lines)) {
        const session = rows.sessions[rows.sessionOf.readUInt16LE(row * 2)];
        const id = rows.ids.subarray(row * ROW_ID_BYTES, (row + 1) * ROW_ID_BYTES);
        const names = namesOf(rows.copies.subarray(row * COPY_BYTES, (row + 1) * COPY_BYTES));
        // The copy is still on disk: what makes it no row must not be forgotten.
        sightClaim.run(today, names.name, today);
        sightRow.run(today, id, today);
        hold.run({
          id,
          ...names,
          home,
          lane: LANES.indexOf(lane),
          due: dueAt,
          turn: rows.turns[row],
          session: session === undefined ? null : JSON.stringify(session),
          line,
        });
        row++;
      }
    },
    schedule: (home, dueAt) => void schedule.run(dueAt, home),
    isDue(now) {
      if (!mayWait) return false;
      const isDue = anyDue.get(now) !== undefined;
      mayWait = isDue || anyHeld.get() !== undefined;
      return isDue;
    },
    count: () => (mayWait ? (count.get()?.count ?? 0) : 0),
    release(now) {
      const held = due.all(now, SLICE);
      const [first] = held;
      if (!first) return undefined;
      const ofLane = held.filter(({ lane }) => lane === first.lane);
      for (const { id } of ofLane) drop.run(id);
      // Two copies of one record: the one that claims is the better one, and comes first.
      const only = ofLane.filter(({ name, claim }) => claimOf(name, claim));
      return { lane: LANES[first.lane] ?? 'live', rows: commitRows(only) };
    },
  };
}

function namesOf(copy: Buffer): { readonly name: Buffer; readonly claim: Buffer | null } {
  const claim = copy.subarray(CLAIM_BYTES);
  return { name: copy.subarray(0, CLAIM_BYTES), claim: claim.every((byte) => byte === 0) ? null : claim };
}

function commitRows(held: readonly HeldRow[]): CommitRows {
  const sessions: SessionFacts[] = [];
  const sessionOf = Buffer.alloc(held.length * 2);
  for (const [row, { session }] of held.entries()) {
    sessionOf.writeUInt16LE(session === null ? NO_SESSION : sessions.length, row * 2);
    if (session !== null) sessions.push(JSON.parse(session) as SessionFacts);
  }
  return {
    count: held.length,
    ids: Buffer.concat(held.map(({ id }) => id)),
    sessionOf,
    turns: Buffer.from(held.map(({ turn }) => turn)),
    lines: Buffer.concat(held.flatMap(({ line }) => [line, NEWLINE])),
    sessions,
    claims: Buffer.alloc(0),
    copies: Buffer.alloc(0),
  };
}

const NEWLINE = Buffer.from('\n');
