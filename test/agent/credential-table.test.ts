import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AgentUnderTest } from '../support/agent-process.ts';
import { databaseFrom } from '../support/database.ts';
import { until } from '../support/until.ts';

const SAMPLE = join(import.meta.dirname, '../../fixtures/amazon-q/samples/home');
const DATABASE = '.local/share/amazon-q/data.sqlite3';
const TOKEN = 'aoaAAAAAGholdfast-must-never-keep-this';

/** The database of conversations also holds the table of tokens, in the same pages of the same file. */
describe('agent: the table of tokens', () => {
  it('is in no file that Holdfast leaves, nor in its log, while the conversations beside it are', async () => {
    const agent = await AgentUnderTest.create();
    const path = join(agent.home, DATABASE);
    mkdirSync(dirname(path), { recursive: true });
    const sql = readFileSync(join(SAMPLE, `${DATABASE}.sql`), 'utf8');
    writeFileSync(path, databaseFrom(`${sql}\n${tokens()}`));
    await agent.start();
    await until('a conversation', async () =>
      (await agent.rows()).some(
        ({ agent: source, turn_type }) => source === 'amazon-q' && turn_type === 'user',
      ),
    );

    await agent.kill('SIGKILL');
    await agent.start();
    await until('an answer', async () => (await agent.health()) !== undefined);
    await agent.kill('SIGTERM');

    assert.ok(readFileSync(path).includes(TOKEN));
    const kept = [...filesBelow(dirname(agent.stateDir))].filter((file) => !file.startsWith(agent.home));
    assert.ok(kept.length > 3);
    assert.deepEqual(
      kept.filter((file) => readFileSync(file).includes(TOKEN)),
      [],
    );
    assert.ok(!agent.log.includes(TOKEN));
    assert.deepEqual(readdirSync(dirname(path)), ['data.sqlite3']);
  });
});

/** Enough of them that they share pages with nothing, and one beside the conversations. */
function tokens(): string {
  const rows = Array.from({ length: 200 }, (_, at) => `('codewhisperer:odic:token${at}', '${TOKEN}${at}')`);
  return `CREATE TABLE IF NOT EXISTS auth_kv (key TEXT PRIMARY KEY, value TEXT); INSERT OR REPLACE INTO auth_kv VALUES ${rows.join(', ')};`;
}

function* filesBelow(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}
