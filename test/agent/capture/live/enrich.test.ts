import assert from 'node:assert/strict';
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLayout } from '../../../../agent/capture/layout.ts';
import { createEnrich } from '../../../../agent/capture/live/enrich.ts';
import type { GitHead } from '../../../../agent/capture/live/git-head.ts';
import type { Writer, WriterQuery } from '../../../../agent/capture/live/writers.ts';
import { newTrack } from '../../../../agent/capture/track.ts';
import type { DraftRow, Role } from '../../../../agent/contract/row.ts';
import type { LogParser, Source } from '../../../../agent/contract/source.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { tempDir } from '../../../support/temp.ts';
import { toySource } from '../../../support/toy-source.ts';
import { until } from '../../../support/until.ts';
import { type StartOptions, startCapture, storeOf } from '../support.ts';
import { git, repository } from './git-repository.ts';

const WRITER: Writer = { pid: 42, startedMs: Date.UTC(2026, 10, 30, 11), version: '1.2.3' };

describe('agent/capture/live/enrich', () => {
  describe('of a row', () => {
    it('adds the branch, the process and its version, and marks where they come from', () => {
      const { enrich } = setUp();

      const { git_branch, attributes } = enrich({ attributes: { outcome: 'success' } });

      assert.equal(git_branch, 'main');
      assert.deepEqual(attributes, {
        git_branch_source: 'live',
        agent_version: '1.2.3',
        agent_version_source: 'process',
        process_pid: 42,
        process_started: '2026-11-30T11:00:00.000Z',
        outcome: 'success',
      });
    });

    it('changes nothing that identity is made of', () => {
      const { enrich, draft } = setUp();
      const { git_branch: _branch, attributes: _attributes, ...rest } = enrich({});

      assert.deepEqual(rest, draft);
    });

    it('keeps the branch and the version that the record has', () => {
      const { enrich, asked } = setUp();

      const row = enrich({ git_branch: 'recorded', attributes: { agent_version: '0.9.0' } });

      assert.equal(row.git_branch, 'recorded');
      assert.deepEqual(row.attributes, {
        agent_version: '0.9.0',
        process_pid: 42,
        process_started: '2026-11-30T11:00:00.000Z',
      });
      assert.deepEqual(asked.heads, []);
    });

    it('looks at no project that may keep it waiting', () => {
      const { asked, enrich, draft } = setUp({ mayLook: false });

      assert.deepEqual(enrich({}), draft);
      assert.deepEqual(asked, { heads: [], writers: [] });
    });

    it('tells the commit beside no branch where HEAD is detached', () => {
      const { enrich } = setUp({ head: { kind: 'detached', commit: 'abc' }, writer: undefined });

      const row = enrich({});

      assert.equal(row.git_branch, undefined);
      assert.deepEqual(row.attributes, { git_branch_source: 'live', git_detached: 'abc' });
    });

    it('asks for the time of the record', () => {
      const { enrich, asked, clock } = setUp();
      const ms = clock.now() - 5_000;

      enrich({ timestamp_utc: new Date(ms).toISOString(), timestamp_source: 'derived' });

      assert.deepEqual(asked.heads, [['/srv/shop', ms]]);
      assert.deepEqual(
        asked.writers.map(({ session, project, ms: at }) => [session, project, at]),
        [['s', '/srv/shop', ms]],
      );
    });

    for (const [what, change] of [
      ['has no time', { timestamp_utc: null }],
      ['has the time of its file only', { timestamp_source: 'file' }],
      ['is older than an hour', { timestamp_utc: '2026-11-30T10:59:59.000Z' }],
      ['is from a clock that is ahead', { timestamp_utc: '2026-11-30T12:00:02.000Z' }],
      ['has a time that is none', { timestamp_utc: 'soon' }],
      ['has no project', { project_path: null }],
      ['has the hash of a project only', { project_path: 'a0b1c2' }],
    ] as const) {
      it(`leaves a row as it is that ${what}`, () => {
        const { enrich, draft } = setUp();

        assert.deepEqual(enrich(change), { ...draft, ...change });
      });
    }

    it('leaves rows of copies and of settings as they are', () => {
      const { enrich, draft } = setUp();

      assert.deepEqual([enrich({}, 'secondary'), enrich({}, 'standing')], [draft, draft]);
    });
  });

  describe('in a capture process', () => {
    it('tells the branch at the moment of each live row, and none for what the first scan finds', async () => {
      const { home, project, write } = homeWithLog();
      write('before');
      const { port } = await startCapture(home, { source: sourceOf(project), firstScan: true });

      await pastHead();
      write('on main');
      await until('the first live row', () => port.rows.length === 2);
      git(project, 'checkout', '-q', '-b', 'next');
      await pastHead();
      write('on next');
      await until('the second live row', () => port.rows.length === 3);

      assert.deepEqual(
        port.rows.map(({ text, git_branch, attributes }) => [text, git_branch, attributes]),
        [
          ['before', null, {}],
          ['on main', 'main', { git_branch_source: 'live' }],
          ['on next', 'next', { git_branch_source: 'live' }],
        ],
      );
    });

    it('tells none in a single scan, nor when the configuration says so', async () => {
      const options: StartOptions[] = [{ mode: 'once' }, { limits: { enrichLive: false } }];

      for (const option of options) {
        const { home, project, write } = homeWithLog();
        await pastHead();
        write('said just now');
        const { port } = await startCapture(home, { source: sourceOf(project), ...option });
        await until('the row', () => port.rows.length === 1);

        assert.deepEqual([port.rows[0]?.git_branch, port.rows[0]?.attributes], [null, {}]);
      }
    });

    it('gives a live row the id that a scan gives it', async () => {
      const { home, project, write } = homeWithLog();
      const live = await startCapture(home, { source: sourceOf(project) });
      await pastHead();
      write('said once');
      await until('the live row', () => live.port.rows.length === 1);

      const scan = await startCapture(home, { source: sourceOf(project), mode: 'once' });
      await until('the scanned row', () => scan.port.rows.length === 1);

      assert.deepEqual([live.port.rows[0]?.git_branch, scan.port.rows[0]?.git_branch], ['main', null]);
      assert.equal(live.port.rows[0]?.row_id, scan.port.rows[0]?.row_id);
    });
  });
});

function setUp(answers: { head?: GitHead; writer?: Writer | undefined; mayLook?: boolean } = {}) {
  const { head = { kind: 'branch', name: 'main' }, writer, mayLook = true } = { writer: WRITER, ...answers };
  const clock = new FakeClock();
  const asked = { heads: [] as [string, number][], writers: [] as WriterQuery[] };
  const enrich = createEnrich({
    clock,
    mayLookAt: () => mayLook,
    git: {
      headAt(project, ms) {
        asked.heads.push([project, ms]);
        return head;
      },
    },
    writers: {
      writerOf(query) {
        asked.writers.push(query);
        return writer;
      },
    },
  });
  const draft: DraftRow = {
    record: 'r',
    part: 'text',
    turn_type: 'user',
    text: 'hello',
    session_id: 's',
    project_path: '/srv/shop',
    timestamp_utc: new Date(clock.now() - 1_000).toISOString(),
  };
  return {
    asked,
    clock,
    draft,
    enrich: (change: Partial<DraftRow>, role: Role = 'primary') =>
      enrich(trackOf(role), { ...draft, ...change }),
  };
}

function trackOf(role: Role) {
  const program = { package: '@toys/toy', command: 'toy', entries: ['toy.js'] };
  const source = { ...toySource, program };
  const layout = createLayout({ home: '/home/alice', sources: [{ source, extraRoots: [] }] });
  const ref = layout.byKey('.toy/a.log');
  assert.ok(ref);
  return newTrack({ ...ref, spec: { ...ref.spec, role } }, undefined);
}

/** A home with one log, whose records have the time at which they are written. */
function homeWithLog() {
  const home = tempDir('home');
  const file = join(storeOf(home), 'a.log');
  writeFileSync(file, '');
  const write = (text: string) => appendFileSync(file, `${new Date().toISOString()} ${text}\n`);
  const project = join(home, 'shop');
  renameSync(repository(), project);
  return { home, project, write };
}

/** Times are compared by the millisecond: a record of the same one as a checkout could be from before it. */
function pastHead(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}

/** The toy source with a time and a project in each record. */
function sourceOf(project: string): Source {
  const log = toySource.files.find(({ kind }) => kind === 'log');
  assert.ok(log?.kind === 'log');
  const open = (): LogParser => ({
    line(bytes, line, emit) {
      const [at = '', ...words] = bytes.toString('utf8').split(' ');
      emit({
        record: at,
        part: 'text',
        turn_type: 'user',
        text: words.join(' '),
        session_id: 's',
        project_path: project,
        timestamp_utc: at,
        source_line: line,
      });
    },
    unfinished: () => {},
    session: () => 's',
  });
  return { ...toySource, files: [{ ...log, open }] };
}
