import assert from 'node:assert/strict';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { amazonQ } from '../../../parsers/amazon-q/index.ts';
import { randomId, state, turn } from '../../parsers/shared/conversation/support.ts';
import { tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';
import { startCapture } from './support.ts';

const DATABASE = '.local/share/amazon-q/data.sqlite3';
const HISTORY = '.aws/amazonq/.cli_bash_history';

/** A home whose database names a project, and whose user typed these lines. */
function setUp(...typed: readonly string[]) {
  const home = tempDir();
  const project = join(home, 'shop');
  for (const path of [DATABASE, HISTORY]) mkdirSync(dirname(join(home, path)), { recursive: true });
  mkdirSync(project);
  const db = new Database(join(home, DATABASE));
  db.exec('CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT)');
  const insert = db.prepare('INSERT INTO conversations VALUES (?, ?)');
  insert.run(project, state([turn(1, 'what is there now')]));
  db.close();
  writeFileSync(join(home, HISTORY), ['#V2', ...typed, ''].join('\n'));
  return { home, project };
}

const SAVED = state([turn(7, 'what was replaced')], { conversation_id: randomId(90) });

describe('agent/capture: files that a typed line names', () => {
  it('are read in the projects that are known', async () => {
    const { home, project } = setUp('/save talk');
    writeFileSync(join(project, 'talk.json'), SAVED);
    writeFileSync(join(project, 'other.json'), state([turn(8, 'nobody named it')]));
    const { capture, port } = await startCapture(home, { source: amazonQ });

    capture.sweep(true, 'request');
    await until('the saved conversation', () => port.texts().includes('what was replaced'));

    const [row] = port.rows.filter(({ text }) => text === 'what was replaced');
    assert.equal(row?.recovered, true);
    assert.equal(row?.source_file, 'shop/talk.json');
    assert.equal(row?.project_path, project);
    assert.ok(port.events().includes('session.exported'));
    assert.ok(!port.texts().includes('nobody named it'));
  });

  it('are read by their whole path, also when they come later', async () => {
    const { home } = setUp('/save ~/notes/a.json');
    const { capture, port } = await startCapture(home, { source: amazonQ });
    mkdirSync(join(home, 'notes'));
    writeFileSync(join(home, 'notes', 'a.tmp'), SAVED);
    renameSync(join(home, 'notes', 'a.tmp'), join(home, 'notes', 'a.json'));

    capture.sweep(true, 'request');

    await until('the saved conversation', () => port.texts().includes('what was replaced'));
  });

  it('are found in a copied home, too', async () => {
    const { home } = setUp('/save /home/alice/notes/a.json');
    mkdirSync(join(home, 'notes'));
    writeFileSync(join(home, 'notes', 'a.json'), SAVED);

    const { port } = await startCapture(home, { source: amazonQ, mode: 'once' });

    assert.ok(port.texts().includes('what was replaced'));
  });

  it('are never a link to something else', async () => {
    const { home, project } = setUp('/save talk.json');
    const elsewhere = join(tempDir(), 'talk.json');
    writeFileSync(elsewhere, SAVED);
    symlinkSync(elsewhere, join(project, 'talk.json'));
    const { capture, port } = await startCapture(home, { source: amazonQ });

    capture.sweep(true, 'request');
    await until('what is there', () => port.texts().includes('what is there now'));
    writeFileSync(join(home, HISTORY), '#V2\n/save talk.json\nanother line\n');
    await until('the next line', () => port.rows.some(({ text }) => text === 'another line'));

    assert.ok(!port.texts().includes('what was replaced'));
  });
});
