import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeCorpus } from '../../../bench/corpus/corpus.ts';
import { MANIFEST_FILE, type Manifest } from '../../../bench/corpus/manifest.ts';
import { tempDir } from '../../support/temp.ts';
import { readNaively } from './naive-reader.ts';

describe('bench/corpus/corpus', () => {
  it('writes the same bytes and times for the same seed', () => {
    const [first, second] = [tempDir(), tempDir()];

    writeCorpus(first, { mb: 0.5, seed: 'a' });
    writeCorpus(second, { mb: 0.5, seed: 'a' });

    assert.deepEqual(contentsOf(first), contentsOf(second));
  });

  it('writes another home for another seed', () => {
    const [first, second] = [tempDir(), tempDir()];

    writeCorpus(first, { mb: 0.2, seed: 'a' });
    writeCorpus(second, { mb: 0.2, seed: 'b' });

    assert.notDeepEqual(Object.keys(contentsOf(first)), Object.keys(contentsOf(second)));
  });

  it('writes about as much as was asked for, in few large and many small sessions', () => {
    const { totals, sessions } = writeCorpus(tempDir(), { mb: 3, seed: 'sizes' });

    const sizes = sessions.map(({ bytes }) => bytes).sort((a, b) => b - a);
    assert.ok(totals.bytes >= 3 * 2 ** 20 && totals.bytes < 4 * 2 ** 20, String(totals.bytes));
    assert.ok(sizes[0]! > 0.2 * totals.bytes, String(sizes[0]));
    assert.ok(sizes[sizes.length >> 1]! < 200_000, String(sizes));
  });

  it('says in the manifest what an independent reader finds in every session', () => {
    const home = tempDir();

    const { sessions } = writeCorpus(home, { mb: 3, seed: 'counts' });

    for (const { agent: _, file, session: __, bytes, ...counts } of sessions) {
      assert.deepEqual(readNaively(join(home, file)), counts, file);
      assert.equal(statSync(join(home, file)).size, bytes, file);
    }
  });

  it('holds every kind of line that a session can have', () => {
    const home = tempDir();

    const { sessions } = writeCorpus(home, { mb: 3, seed: 'counts' });

    const text = sessions.map(({ file }) => readFileSync(join(home, file), 'utf8')).join('');
    for (const mark of [
      '"$rewindTo"',
      '"$set":{"messages"',
      '"$set":{"directories"',
      '"summary"',
      '"thought":true',
    ])
      assert.ok(text.includes(mark), mark);
    assert.match(text, /[^\u0000-\u024f]/u);
  });

  it('keeps the manifest with the home, and totals that add up', () => {
    const home = tempDir();

    const written = writeCorpus(home, { mb: 0.2, seed: 'a' });

    const kept = JSON.parse(readFileSync(join(home, MANIFEST_FILE), 'utf8')) as Manifest;
    assert.deepEqual(kept, written);
    assert.equal(kept.totals.sessions, kept.sessions.length);
    assert.equal(
      kept.totals.calls,
      kept.sessions.reduce((sum, { calls }) => sum + calls, 0),
    );
  });
});

/** Everything below a folder: content and time of modification by path. */
function contentsOf(dir: string): Record<string, readonly [content: string, mtimeMs: number | null]> {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(dir, path)).isFile())
    .sort();
  return Object.fromEntries(
    files.map((path) => {
      const isSession = path.endsWith('.jsonl');
      const time = isSession ? statSync(join(dir, path)).mtimeMs : null;
      return [path, [readFileSync(join(dir, path), 'utf8'), time] as const];
    }),
  );
}
