import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Source } from '../../agent/contract/source.ts';
import { amazonQ } from '../../parsers/amazon-q/index.ts';
import { kiroCli } from '../../parsers/kiro-cli/index.ts';
import { type HomeRow, parseHome } from '../parsers/support.ts';
import { outliveTests, tempDir } from '../support/temp.ts';
import { type Case, findCases, loadCase } from './case.ts';
import { makeHome } from './home.ts';
import { play } from './play.ts';
import { createStage } from './stage.ts';

const RECORDED = join(import.meta.dirname, '../../fixtures/recorded');
const SCENES = findCases(RECORDED).map(loadCase);

interface RealHome {
  readonly name: string;
  readonly source: Source;
  /** The scenes that were recorded while the program wrote this home. */
  readonly scenes: readonly Case[];
  readonly database: string;
  readonly table: string;
  /** Folder of session files, where the program has one. */
  readonly sessions?: string;
  /** Of every conversation in the home that the program left: see `digestOf`. */
  readonly digest: string;
  /** Texts of the rows that only the last state of a settings file gives. */
  readonly onlyAtTheEnd: readonly string[];
}

const HOMES: readonly RealHome[] = [
  {
    name: 'amazon-q',
    source: amazonQ,
    scenes: SCENES.filter(({ name }) => name.startsWith('q-')),
    database: '.local/share/amazon-q/data.sqlite3',
    table: 'conversations',
    digest: '4f492ab2439bea12508a9a4c1e0b07eaa641db68e99ffb4a800e4b6fd2e46e3d',
    onlyAtTheEnd: [
      'permission setting: chat.enableDelegate=false (from .local/share/amazon-q/settings.json, file mtime)',
    ],
  },
  {
    name: 'kiro-cli',
    source: kiroCli,
    // Its terminal interface was recorded in a home of its own.
    scenes: SCENES.filter(({ name }) => /^kiro[12]-(?!tui$)/.test(name)),
    database: '.local/share/kiro-cli/data.sqlite3',
    table: 'conversations_v2',
    sessions: '.kiro/sessions/cli',
    digest: '0a0985f750001b887dead40770ffb3e60c8a6e8e31b8f20e704c9bc69d9fa1ff',
    onlyAtTheEnd: [
      'permission setting: chat.enableDelegate=false (from .kiro/settings/cli.json, file mtime)',
    ],
  },
];

/**
 * A scene began where the one before it ended, so the home that a program left is its scenes, played one after the other, and
 * the files that all of them wrote, as they were at the end (`fixtures/recorded/last`).
 */
for (const home of HOMES)
  describe(`the home that ${home.name} left, read cold in one go`, function () {
    this.timeout(180_000);
    const { source, scenes, onlyAtTheEnd } = home;
    const last = join(RECORDED, 'last', home.name);
    const known = new Map<string, HomeRow>();
    let dir: string;
    let cold: HomeRow[];
    let cleanUp: () => Promise<void>;

    before('play the scenes', async () => {
      for (const scene of scenes)
        for (const row of parseHome(source, await homeAfter([scene]))) known.set(row.row_id, row);
      dir = await homeAfter(scenes);
      cpSync(last, dir, { recursive: true });
      cold = parseHome(source, dir);
      cleanUp = outliveTests();
    });

    after(() => cleanUp());

    it('is the home that the program left', () => {
      assert.equal(digestOf(home, dir), home.digest);
    });

    it('gives ids that the scenes gave, and no other', () => {
      const others = cold.filter(({ row_id, text }) => known.get(row_id)?.text !== text);

      assert.deepEqual(
        others.map(({ text }) => text),
        onlyAtTheEnd,
      );
    });

    it('gives what every scene left, but for lines and settings that a later one wrote over', () => {
      const ids = new Set(cold.map(({ row_id }) => row_id));
      const rewritten = new Set(filesBelow(last));
      const missing = [...known.values()].filter(({ row_id }) => !ids.has(row_id));

      assert.deepEqual(
        missing.filter(({ source_file }) => !rewritten.has(source_file)),
        [],
      );
    });

    it('gives the same ids when the agent reads it', async () => {
      const [caseOf] = scenes;
      assert.ok(caseOf);
      const stage = await createStage({
        caseOf,
        home: dir,
        dir: join(tempDir(), 'run'),
        watchCode: undefined,
        owner: undefined,
      });
      try {
        await stage.start();
        const { received, problems } = await stage.finish();
        const read = received.map(({ row }) => row).filter(({ agent }) => agent === source.id);

        assert.deepEqual(problems, []);
        assert.deepEqual(onlyIn(cold, read), []);
        assert.deepEqual(onlyIn(read, cold), []);
      } finally {
        await stage.close();
      }
    });
  });

interface Told {
  readonly row_id: string;
  readonly text: string;
  readonly attributes?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Texts of rows that the others lack. States of settings count by what was there before (see same-ids.ts), so those a first look
 * gives have no id to compare.
 */
function onlyIn(rows: readonly Told[], others: readonly Told[]): string[] {
  const ids = new Set(others.map(({ row_id }) => row_id));
  return rows
    .filter(({ row_id, attributes }) => !ids.has(row_id) && attributes?.['change'] !== 'baseline')
    .map(({ text }) => text);
}

/** A home in which the scenes happened in the order of their names; each wrote keys and files of its own. */
async function homeAfter(scenes: readonly Case[]): Promise<string> {
  const dir = tempDir();
  const home = join(dir, 'home');
  const [first] = scenes;
  assert.ok(first);
  makeHome(first, home);
  for (const scene of scenes)
    for (const step of scene.steps)
      if (step.op === 'play')
        await play(
          { ...step, pause_ms: 0 },
          { home, steps: join(scene.dir, 'steps'), aside: join(dir, 'aside') },
        );
  return home;
}

/** SHA-256 over every row of the table and every session file, each as JSON, sorted. */
function digestOf({ database, table, sessions }: RealHome, home: string): string {
  const db = new Database(join(home, database), { readonly: true });
  const rows = db.prepare(`SELECT * FROM "${table}"`).raw().all();
  db.close();
  const files = sessions === undefined ? [] : filesBelow(join(home, sessions));
  const texts = files.map((path) => [path, readFileSync(join(home, sessions ?? '', path), 'utf8')]);
  const parts = [...rows, ...texts].map((part) => JSON.stringify(part)).sort();
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(dir.length + 1));
}
