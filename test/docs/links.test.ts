import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const documents = [...listed('.', false), ...listed('docs'), ...listed('parsers'), ...listed('test/interop')];

describe('documents', () => {
  it('are looked at', () => {
    assert.ok(documents.length > 20, `${documents.length}`);
  });

  for (const file of documents) {
    it(`${file} links only to what is there`, () => {
      const prose = read(file).replaceAll(/^```.*?^```/gms, '');
      const links = found(prose, /\]\((?!https?:|mailto:|#)([^)#\s]+)/g);

      assert.deepEqual(
        links.filter((target) => !existsSync(join(ROOT, dirname(file), target))),
        [],
      );
    });
  }

  it('name only files that are there, in the maps of the project', () => {
    for (const file of [
      'ARCHITECTURE.md',
      'AGENTS.md',
      'README.md',
      'docs/adding-a-parser.md',
      'docs/adding-a-sink.md',
    ]) {
      const named = found(
        read(file),
        /`((?:agent|parsers|config|collector|test|tools|bench|docs|fixtures)\/[\w./-]+)`/g,
      );
      const missing = named.filter((path) => !existsSync(join(ROOT, path)));

      assert.deepEqual(missing, [], file);
    }
  });

  it('keep the README short', () => {
    assert.ok(read('README.md').split('\n').length <= 120);
  });

  it('tell operators of every log event, and of none that is never written', () => {
    const code = sources().map(read).join('\n');
    const written = found(code, /\bevent: '([a-z_]+\.[a-z_]+)'/g);
    const told = found(read('docs/operations.md'), /`([a-z_]+\.[a-z_]+)`/g);
    const rowEvents = found(read('docs/rows.md'), /^\| `([a-z_]+\.[a-z_]+)` \|/gm);

    assert.deepEqual(
      written.filter((id) => !told.includes(id) && !rowEvents.includes(id)),
      [],
    );
    assert.deepEqual(
      eventRows().filter((id) => !code.includes(`'${id}'`)),
      [],
    );
  });
});

/** Ids in the table of log events. */
function eventRows(): string[] {
  const cells = found(read('docs/operations.md'), /^\| ((?:`[a-z_]+\.[a-z_]+`(?:, )?)+) \|/gm);
  return cells.flatMap((cell) => found(cell, /`([^`]+)`/g));
}

function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, match = '']) => match);
}

function sources(): string[] {
  return ['agent', 'collector', 'config'].flatMap((folder) => listed(folder, true, '.ts'));
}

function listed(folder: string, recursive = true, ending = '.md'): string[] {
  return readdirSync(join(ROOT, folder), { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
