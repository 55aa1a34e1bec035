import assert from 'node:assert/strict';
import { ZED_THREADS } from '../../../../parsers/gemini-cli/zed/index.ts';
import { isZedChannel, isZedDatabase } from '../../../../parsers/gemini-cli/zed/paths.ts';
import { parseThread } from '../../../../parsers/gemini-cli/zed/thread.ts';
import { databaseFrom, parseDatabase } from '../../../support/database.ts';
import { fakeContext } from '../../support.ts';

const PATH = '0-stable/db.sqlite';
const SESSION = 'c0de0201-1111-4000-8000-000000000001';

describe('parsers/gemini-cli/zed/thread', () => {
  it('links a session that Zed drives', () => {
    const [row] = rowsOf(`('${SESSION}', 'gemini', 'Shop', '2026-11-02T10:00:00Z', '/home/alice/shop')`);

    assert.equal(row?.event, 'session.origin');
    assert.equal(row?.session_id, SESSION);
    assert.equal(row?.project_path, '/home/alice/shop');
    assert.equal(row?.timestamp_utc, '2026-11-02T10:00:00.000Z');
    assert.equal(row?.text, 'session origin: Zed over ACP: Shop');
  });

  it('says nothing of other agents, and of threads without a session', () => {
    const rows = rowsOf(
      "('x', 'claude-acp', '', '', ''), ('y', NULL, '', '', ''), ('', 'gemini', '', '', '')",
    );

    assert.deepEqual(rows, []);
  });

  it('takes a table that lacks columns, and values of any type', () => {
    const sql =
      "CREATE TABLE sidebar_threads (session_id, agent_id); INSERT INTO sidebar_threads VALUES (1, 'gemini'), ('s', 'gemini'), (x'ff', 2.5)";
    const rows = parseDatabase(ZED_THREADS, databaseFrom(sql), fakeContext(PATH));

    assert.deepEqual(
      rows.map(({ session_id, timestamp_source }) => [session_id, timestamp_source]),
      [['s', 'none']],
    );
  });

  it('tells a thread once, whatever becomes of its title', () => {
    const cells = {
      session_id: Buffer.from(SESSION),
      agent_id: Buffer.from('gemini'),
      title: Buffer.from('New'),
    };
    const rows: unknown[] = [];

    const record = { key: [SESSION], cells, rowid: 1, beside: () => [] };
    const memory = parseThread({ ...record, memory: undefined }, fakeContext(PATH), (row) => rows.push(row));
    parseThread({ ...record, memory }, fakeContext(PATH), (row) => rows.push(row));

    assert.equal(rows.length, 1);
  });

  it('knows its database in every channel, and nothing beside it', () => {
    assert.ok(isZedDatabase(PATH) && isZedDatabase('0-preview/db.sqlite') && isZedChannel('0-nightly'));
    for (const path of ['db.sqlite', '0-stable/other.sqlite', '0-stable/x/db.sqlite', 'tmp/db.sqlite'])
      assert.ok(!isZedDatabase(path), path);
  });
});

function rowsOf(values: string) {
  const sql = `CREATE TABLE sidebar_threads (session_id TEXT, agent_id TEXT, title TEXT, created_at TEXT, folder_paths TEXT);
    INSERT INTO sidebar_threads VALUES ${values}`;
  return parseDatabase(ZED_THREADS, databaseFrom(sql), fakeContext(PATH));
}
