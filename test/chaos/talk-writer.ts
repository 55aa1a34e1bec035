/**
 * A program that keeps a conversation as Amazon Q does: ten connections, 5 s busy timeout, one `INSERT OR REPLACE` of the
 * whole value for each turn. Takes its options as JSON; prints what became of each write as JSON.
 */
import { statSync } from 'node:fs';
import Database from 'better-sqlite3';

export interface TalkOptions {
  readonly path: string;
  readonly journal: 'delete' | 'wal';
  readonly megabytes: number;
  readonly everyMs: number;
  readonly seconds: number;
  /** Turns that are there already. */
  readonly turns: number;
}

export interface Written {
  /** Milliseconds of each write. */
  readonly latencies: readonly number[];
  readonly failures: readonly string[];
  /** Turns that are there now. */
  readonly turns: number;
  /** Most bytes that the write-ahead log had. */
  readonly logBytes: number;
}

const CONNECTIONS = 10;
const FILLER_BYTES = 1_000_000;

if (process.argv[1] === import.meta.filename) {
  const options = JSON.parse(process.argv[2] ?? '{}') as TalkOptions;
  process.stdout.write(JSON.stringify(await write(options)));
}

async function write({ path, journal, megabytes, everyMs, seconds, turns }: TalkOptions): Promise<Written> {
  const pool = Array.from({ length: CONNECTIONS }, () => new Database(path, { timeout: 5_000 }));
  for (const db of pool) db.pragma(`journal_mode = ${journal}`);
  pool[0]?.exec('CREATE TABLE IF NOT EXISTS conversations (key TEXT PRIMARY KEY, value TEXT)');
  const statements = pool.map((db) => db.prepare('INSERT OR REPLACE INTO conversations VALUES (?, ?)'));
  const [latencies, failures]: [number[], string[]] = [[], []];
  const end = performance.now() + seconds * 1_000;
  let value = beginning(megabytes);
  for (let number = 1; number <= turns; number++) value += `,${turnOf(number)}`;
  let [last, logBytes] = [turns, 0];
  for (let round = 0; performance.now() < end; round++) {
    value += `,${turnOf(++last)}`;
    const start = performance.now();
    try {
      statements[round % CONNECTIONS]?.run('/home/alice/app', `${value}]}`);
    } catch (error) {
      failures.push(String(error));
    }
    latencies.push(performance.now() - start);
    logBytes = Math.max(logBytes, statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
    await pause(Math.max(0, everyMs - (performance.now() - start)));
  }
  for (const db of pool) db.close();
  return { latencies, failures, turns: last, logBytes };
}

/** A conversation of so many megabytes, up to its last entry, without the end of the history. */
function beginning(megabytes: number): string {
  const words = 'all the words of a long conversation ';
  const count = Math.max(1, Math.round((megabytes * 1_000_000) / FILLER_BYTES));
  const bytes = Math.round((megabytes * 1_000_000) / count);
  const entries = Array.from({ length: count }, (_, at) =>
    entryOf(-1 - at, words.repeat(Math.ceil(bytes / words.length))),
  );
  return `{"conversation_id":"c0de0b01-1111-4000-8000-000000000001","next_message":null,"history":[${entries.join(',')}`;
}

function turnOf(number: number): string {
  return entryOf(number, `turn ${number}`);
}

function entryOf(number: number, prompt: string): string {
  const ms = 1_790_845_260_000 + number * 1_000;
  const message = `c0de0b02-2222-4000-8000-${String(number + 1_000).padStart(12, '0')}`;
  return JSON.stringify({
    user: {
      additional_context: '',
      env_context: {},
      content: { Prompt: { prompt } },
      timestamp: new Date(ms).toISOString(),
      images: null,
    },
    assistant: { Response: { message_id: message, content: `answer ${number}` } },
    request_metadata: {
      message_id: message,
      request_start_timestamp_ms: ms,
      stream_end_timestamp_ms: ms + 500,
      model_id: 'model-1',
      message_meta_tags: [],
    },
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
