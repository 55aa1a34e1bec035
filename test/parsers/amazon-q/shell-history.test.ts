import assert from 'node:assert/strict';
import { amazonQ } from '../../../parsers/amazon-q/index.ts';
import { databaseFrom, parseDatabase } from '../../support/database.ts';
import { fakeContext } from '../support.ts';

describe('parsers/amazon-q/shell-history', () => {
  it('gives a row for each command that a forerunner kept', () => {
    const spec = amazonQ.files.find((file) => file.kind === 'database');
    assert.equal(spec?.kind, 'database');
    const bytes = databaseFrom(`
      CREATE TABLE history (id INTEGER PRIMARY KEY, command TEXT, shell TEXT, cwd TEXT, start_time INTEGER, exit_code INTEGER);
      INSERT INTO history VALUES (1, 'make', 'zsh', '/home/alice/proj', 1777000000, 2), (2, NULL, NULL, NULL, NULL, NULL);`);

    const rows = parseDatabase(spec, bytes, fakeContext('data.sqlite3'));

    assert.deepEqual(
      rows.map(({ text, timestamp_utc, project_path }) => [text, timestamp_utc, project_path]),
      [['shell command: make', '2026-04-24T03:06:40.000Z', '/home/alice/proj']],
    );
    assert.equal(rows[0]?.attributes?.['exit_code'], 2);
  });
});
