import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCES } from '../../parsers/index.ts';
import { type HomeRow, parseHome } from './support.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';

/** Every folder `fixtures/<source>/<case>` with a `home` in it: its rows are those of `expected.jsonl`. */
describe('parsers', () => {
  for (const source of SOURCES) {
    for (const name of casesOf(source.id)) {
      it(`reads ${source.id}/${name} as expected`, () => {
        const folder = join(FIXTURES, source.id, name);
        const file = join(folder, 'expected.jsonl');

        const lines = parseHome(source, join(folder, 'home')).map(golden);
        if (isUpdate) writeFileSync(file, `${lines.join('\n')}\n`);

        assert.deepEqual(lines, readFileSync(file, 'utf8').trimEnd().split('\n'));
      });
    }
  }

  it('has a case for every source', () => {
    assert.deepEqual(
      SOURCES.filter(({ id }) => casesOf(id).length === 0).map(({ id }) => id),
      [],
    );
  });
});

function casesOf(id: string): string[] {
  const folder = join(FIXTURES, id);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'home')));
}

/** What is null, false, empty, the same as the text or names of copies is left out; so is that a row is primary. */
function golden(row: HomeRow): string {
  const { content, attributes, claims: _claims, copyOf: _copyOf, role, ...rest } = row;
  const facts = Object.entries(rest).filter(([, value]) => value !== null && value !== false);
  return JSON.stringify({
    ...Object.fromEntries(facts),
    ...(role !== 'primary' && { role }),
    ...(content !== row.text && { content }),
    ...(Object.keys(attributes ?? {}).length > 0 && { attributes }),
  });
}
