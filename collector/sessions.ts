import type Database from 'better-sqlite3';
import type { KnownRow } from './row-form.ts';

/** One line for every session that rows came from. */
export interface SessionTable {
  add(host: string, rows: readonly KnownRow[], now: number): void;
}

interface Summary {
  readonly agent: string;
  readonly session: string;
  project: string | null;
  user: string | null;
  first: string | null;
  last: string | null;
  rows: number;
  prompts: number;
}

const UPSERT = `
INSERT INTO sessions (host, agent, session, project, user, first, last, rows, prompts, last_received)
VALUES (@host, @agent, @session, @project, @user, @first, @last, @rows, @prompts, @now)
ON CONFLICT (host, agent, session) DO UPDATE SET
  project = coalesce(excluded.project, project),
  user = coalesce(excluded.user, user),
  first = coalesce(min(first, excluded.first), first, excluded.first),
  last = coalesce(max(last, excluded.last), last, excluded.last),
  rows = rows + excluded.rows,
  prompts = prompts + excluded.prompts,
  last_received = excluded.last_received`;

export function createSessionTable(db: Database.Database): SessionTable {
  const upsert = db.prepare(UPSERT);
  return {
    add(host, rows, now) {
      for (const summary of summariesOf(rows)) upsert.run({ ...summary, host, now });
    },
  };
}

function summariesOf(rows: readonly KnownRow[]): Iterable<Summary> {
  const summaries = new Map<string, Summary>();
  for (const row of rows) {
    const { agent, session_id: session } = row;
    if (session === null) continue;
    const key = `${agent}\0${session}`;
    const summary = summaries.get(key) ?? emptySummary(agent, session);
    summaries.set(key, summary);
    addRow(summary, row);
  }
  return summaries.values();
}

function emptySummary(agent: string, session: string): Summary {
  return { agent, session, project: null, user: null, first: null, last: null, rows: 0, prompts: 0 };
}

function addRow(summary: Summary, row: KnownRow): void {
  const { timestamp_utc: time } = row;
  summary.project = row.project_path ?? summary.project;
  summary.user = row.os_user ?? summary.user;
  summary.rows++;
  if (row.turn_type === 'user') summary.prompts++;
  if (time === null) return;
  if (summary.first === null || time < summary.first) summary.first = time;
  if (summary.last === null || time > summary.last) summary.last = time;
}
