import type Database from 'better-sqlite3';
import { type CommitRows, NO_SESSION, USER_TURN } from '../contract/commit.ts';
import { linesOf } from '../contract/lines.ts';
import type { SessionSummary } from '../contract/store.ts';
import { unsealSegment } from './segment.ts';

/** The local list of sessions, kept beside the outbox so that a person can look without a collector. */
export interface SessionIndex {
  /** Inside the commit's transaction: counts the rows that were new and links them to their segment. */
  add(rows: CommitRows, kept: readonly number[], segment: number): void;
  recent(limit: number): SessionSummary[];
  find(prefix: string): SessionSummary[];
  rowsOf(agent: string, session: string): Generator<string>;
}

export function createSessionIndex(db: Database.Database): SessionIndex {
  const upsert = db.prepare(`
    INSERT INTO sessions (agent, session, project, user, first, last, rows, prompts) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET
      project = coalesce(excluded.project, project), user = coalesce(excluded.user, user),
      first = min(coalesce(first, excluded.first), coalesce(excluded.first, first)),
      last = max(coalesce(last, excluded.last), coalesce(excluded.last, last)),
      rows = rows + excluded.rows, prompts = prompts + excluded.prompts`);
  const link = db.prepare('INSERT OR IGNORE INTO session_segments (agent, session, seg) VALUES (?, ?, ?)');
  const columns = 'agent, session, project, user, first, last, rows, prompts';
  const recent = db.prepare<[number], SessionSummary>(
    `SELECT ${columns} FROM sessions ORDER BY last DESC, session LIMIT ?`,
  );
  const find = db.prepare<[string, string], SessionSummary>(
    `SELECT ${columns} FROM sessions WHERE session >= ? AND session < ? ORDER BY last DESC LIMIT 50`,
  );
  const bodies = db.prepare<[string, string], { body: Buffer }>(
    `SELECT s.body FROM session_segments l JOIN segments s ON s.seg = l.seg WHERE l.agent = ? AND l.session = ? ORDER BY l.seg`,
  );

  return {
    add(rows, kept, segment) {
      for (const [index, count] of countBySession(rows, kept)) {
        const facts = rows.sessions[index];
        if (!facts) continue;
        const { agent, session, project, user, first, last } = facts;
        upsert.run(agent, session, project, user, first, last, count.rows, count.prompts);
        link.run(agent, session, segment);
      }
    },
    recent: (limit) => recent.all(limit),
    find: (prefix) => find.all(prefix, `${prefix}\uffff`),
    *rowsOf(agent, session) {
      for (const { body } of bodies.iterate(agent, session)) {
        for (const line of linesOf(unsealSegment(body))) {
          const json = line.toString('utf8');
          if (isOf(json, agent, session)) yield json;
        }
      }
    },
  };
}

function countBySession(
  rows: CommitRows,
  kept: readonly number[],
): Map<number, { rows: number; prompts: number }> {
  const counts = new Map<number, { rows: number; prompts: number }>();
  for (const row of kept) {
    const session = rows.sessionOf.readUInt16LE(row * 2);
    if (session === NO_SESSION) continue;
    const count = counts.get(session) ?? { rows: 0, prompts: 0 };
    count.rows++;
    if (rows.turns[row] === USER_TURN) count.prompts++;
    counts.set(session, count);
  }
  return counts;
}

function isOf(json: string, agent: string, session: string): boolean {
  const row = JSON.parse(json) as { agent?: unknown; session_id?: unknown };
  return row.agent === agent && row.session_id === session;
}
