/**
 * Every schema step since the first release, in order; the number of a step is its place, from 1.
 * A step is never edited after a release: a change is a further step.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- Ids of every row ever committed: what makes reading again a no-op.
  CREATE TABLE seen (id BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;

  -- Names that primary rows claimed: copies under these names are no rows.
  CREATE TABLE claims (name BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;

  -- Copies from secondary sources, kept back until it is certain that nobody claims their names. No due time:
  -- the first scan of their home is not over.
  CREATE TABLE copies (
    id BLOB PRIMARY KEY,
    name BLOB NOT NULL,
    claim BLOB,
    home TEXT NOT NULL,
    lane INTEGER NOT NULL,
    due INTEGER,
    turn INTEGER NOT NULL,
    session TEXT,
    line BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX copies_by_name ON copies (name);
  CREATE INDEX copies_by_due ON copies (due) WHERE due IS NOT NULL;

  CREATE TABLE cursors (
    home TEXT NOT NULL,
    file TEXT NOT NULL,
    cursor TEXT NOT NULL,
    PRIMARY KEY (home, file)
  ) STRICT, WITHOUT ROWID;

  -- The outbox: rows of one commit, sealed as one compressed value.
  CREATE TABLE segments (
    seg INTEGER PRIMARY KEY AUTOINCREMENT,
    lane INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    stored INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    committed_at INTEGER NOT NULL,
    ids BLOB NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE INDEX segments_by_lane ON segments (lane, seg, rows, bytes, stored, committed_at);

  -- Last segment of a lane that a sink has taken.
  CREATE TABLE positions (
    sink TEXT NOT NULL,
    lane INTEGER NOT NULL,
    seg INTEGER NOT NULL,
    PRIMARY KEY (sink, lane)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sessions (
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    project TEXT,
    user TEXT,
    first TEXT,
    last TEXT,
    rows INTEGER NOT NULL,
    prompts INTEGER NOT NULL,
    PRIMARY KEY (agent, session)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE session_segments (
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    seg INTEGER NOT NULL,
    PRIMARY KEY (agent, session, seg)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX session_segments_by_seg ON session_segments (seg);

  -- Rows that a sink refused for good.
  CREATE TABLE dead_rows (
    id INTEGER PRIMARY KEY,
    sink TEXT NOT NULL,
    seq INTEGER NOT NULL,
    row_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    row TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Days (since 1970) on which a record was last read, and on which a file was read from its start.
  ALTER TABLE seen ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE claims ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE cursors ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
  -- What is kept of single records of databases: how to see that they changed, and their parser's memory.
  CREATE TABLE records (
    home TEXT NOT NULL,
    file TEXT NOT NULL,
    name TEXT NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (home, file, name)
  ) STRICT, WITHOUT ROWID;
  `,
];
