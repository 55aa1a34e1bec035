import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import Database from 'better-sqlite3';

/** What the agent says of it: a row with these words, a line in its health, or what could be read. */
export type Answer = RegExp | 'health' | 'read' | 'nothing';

/** Puts something in the place of a database that is to hurt whoever reads it. */
export interface Hostile {
  readonly what: string;
  readonly answer: Answer;
  readonly make: (path: string, prompt: string) => void;
}

const TALKS = 'CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT);';
const MAGIC = 'd9d505f920a163d7';
const HEADER_BYTES = 100;

/** The prompt of the database behind the link. */
export const LINKED = 'what a link must not give';

export const HOSTILE: readonly Hostile[] = [
  {
    what: 'a view in the place of the table',
    answer: /conversations is no plain table/,
    make: (path) => sql(path, "CREATE VIEW conversations AS SELECT 'k' AS key, 'v' AS value"),
  },
  {
    what: 'a view without end',
    answer: /conversations is no plain table/,
    make: (path) =>
      sql(
        path,
        'CREATE VIEW conversations AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i AS key, i AS value FROM n',
      ),
  },
  {
    what: 'a virtual table',
    answer: /conversations is no plain table/,
    make: (path) => sql(path, 'CREATE VIRTUAL TABLE conversations USING fts5(key, value)'),
  },
  {
    what: 'triggers on the table',
    answer: 'read',
    make: (path, prompt) => {
      sql(path, TALKS);
      put(path, talk(prompt));
      sql(
        path,
        'CREATE TRIGGER t AFTER UPDATE ON conversations BEGIN DELETE FROM conversations; END; CREATE INDEX i ON conversations (value)',
      );
    },
  },
  {
    what: 'a gigantic value',
    answer: /a value over the limit/,
    make: (path) => {
      sql(path, TALKS);
      put(path, `{"conversation_id":"x","history":[],"filling":"${'x'.repeat(24_000_000)}"}`);
    },
  },
  {
    what: 'corrupted pages',
    answer: /database not read/,
    make: (path) => damaged(path, (bytes) => bytes.fill(0xff, 4096)),
  },
  {
    what: 'a tree whose pages lead to one another in a circle',
    answer: /a page that is its own parent/,
    make: (path) =>
      damaged(path, (bytes) => {
        for (let page = 4096; page + 12 < bytes.length; page += 4096)
          if (bytes[page] === 0x05) bytes.writeUInt32BE(page / 4096 + 1, page + 8);
      }),
  },
  {
    what: 'a value whose pages lead to one another in a circle',
    answer: /database not read/,
    make: (path) => {
      sql(path, TALKS);
      put(path, `["${'v'.repeat(40_000)}"]`);
      const bytes = readFileSync(path);
      for (let page = 4096; page < bytes.length; page += 4096)
        if (bytes.subarray(page + 4, page + 20).equals(Buffer.alloc(16, 'v')))
          bytes.writeUInt32BE(page / 4096 + 1, page);
      writeFileSync(path, bytes);
    },
  },
  {
    what: 'a header that promises pages which are not there',
    answer: /database not read/,
    make: (path) =>
      damaged(path, (bytes) => {
        bytes.writeUInt16BE(1, 16);
        bytes.writeUInt32BE(0xffffffff, 28);
      }),
  },
  {
    what: 'no database at all',
    answer: /no database/,
    make: (path) => writeFileSync(path, 'SQLite format 4'.repeat(100)),
  },
  {
    what: 'a file of a terabyte that holds nothing',
    answer: 'health',
    make: (path) => {
      sql(path, TALKS);
      truncateSync(path, 2 ** 40);
    },
  },
  {
    what: 'a schema of thousands of tables',
    answer: 'read',
    make: (path, prompt) => {
      const tables = Array.from({ length: 3_000 }, (_, at) => `CREATE TABLE t${at} (a);`).join('');
      sql(path, `BEGIN; ${tables} ${TALKS} COMMIT`);
      put(path, talk(prompt));
    },
  },
  {
    what: 'a table whose text is a megabyte of brackets',
    answer: /database not read/,
    make: (path) => {
      sql(path, TALKS);
      using db = open(path);
      db.handle.unsafeMode(true);
      db.handle.pragma('writable_schema = ON');
      const text = `CREATE TABLE conversations (key TEXT CHECK ${'('.repeat(500_000)}1${')'.repeat(500_000)}, value TEXT)`;
      db.handle.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'conversations'").run(text);
    },
  },
  {
    what: 'a pipe',
    answer: 'health',
    make: (path) => void execFileSync('mkfifo', [path]),
  },
  {
    what: 'a link to a database elsewhere',
    answer: 'health',
    make: (path) => {
      sql(`${path}.elsewhere`, TALKS);
      put(`${path}.elsewhere`, talk(LINKED));
      symlinkSync(`${path}.elsewhere`, path);
    },
  },
  { what: 'a directory', answer: 'nothing', make: (path) => void mkdirSync(path) },
  {
    what: 'a journal that claims to undo everything',
    answer: /a broken journal/,
    make: (path, prompt) => {
      sql(path, TALKS);
      put(path, talk(prompt));
      const journal = Buffer.alloc(512, 0xff);
      Buffer.from(MAGIC, 'hex').copy(journal);
      writeFileSync(`${path}-journal`, journal);
    },
  },
  {
    what: 'a journal that names a file of somebody',
    answer: /an unfinished transaction over several databases/,
    make: (path, prompt) => {
      sql(path, TALKS);
      put(path, talk(prompt));
      const name = Buffer.from('/home/alice/.ssh/authorized_keys');
      const end = Buffer.alloc(4 + name.length + 16);
      name.copy(end, 4);
      end.writeUInt32BE(name.length, 4 + name.length);
      end.writeUInt32BE(
        [...name].reduce((sum, byte) => sum + byte, 0),
        8 + name.length,
      );
      Buffer.from(MAGIC, 'hex').copy(end, 12 + name.length);
      const head = Buffer.alloc(512);
      Buffer.from(MAGIC, 'hex').copy(head);
      head.writeUInt32BE(512, 20);
      head.writeUInt32BE(4096, 24);
      writeFileSync(`${path}-journal`, Buffer.concat([head, end]));
    },
  },
  {
    what: 'a write-ahead log of noise',
    answer: 'read',
    make: (path, prompt) => {
      sql(path, `PRAGMA journal_mode = wal; ${TALKS}`);
      put(path, talk(prompt));
      const noise = Buffer.alloc(300_000, 0x5a);
      noise.writeUInt32BE(0x377f0682, 0);
      writeFileSync(`${path}-wal`, noise);
    },
  },
];

function talk(prompt: string): string {
  const message = { message_id: randomUUID(), content: 'an answer' };
  return JSON.stringify({
    conversation_id: randomUUID(),
    history: [
      {
        user: { content: { Prompt: { prompt } }, timestamp: '2026-10-01T09:00:00Z' },
        assistant: { Response: message },
        request_metadata: { message_id: message.message_id },
      },
    ],
  });
}

function sql(path: string, text: string): void {
  using db = open(path);
  db.handle.exec(text);
}

function put(path: string, value: string): void {
  using db = open(path);
  db.handle.prepare('INSERT OR REPLACE INTO conversations VALUES (?, ?)').run('/home/alice/proj', value);
}

function open(path: string) {
  const handle = new Database(path);
  return { handle, [Symbol.dispose]: () => handle.close() };
}

/** A database of many pages and no rows, with something done to its bytes. */
function damaged(path: string, harm: (bytes: Buffer) => void): void {
  sql(path, TALKS);
  using db = open(path);
  const insert = db.handle.prepare('INSERT INTO conversations VALUES (?, ?)');
  const value = JSON.stringify({ conversation_id: 'x', history: [], filling: 'x'.repeat(2_000) });
  for (let at = 0; at < 300; at++) insert.run(`/home/alice/proj-${at}`, value);
  const bytes = readFileSync(path);
  harm(bytes);
  const file = openSync(path, 'r+');
  writeSync(file, bytes.subarray(0, HEADER_BYTES), 0, HEADER_BYTES, 0);
  writeSync(file, bytes, HEADER_BYTES, bytes.length - HEADER_BYTES, HEADER_BYTES);
  closeSync(file);
}
