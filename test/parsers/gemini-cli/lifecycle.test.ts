import assert from 'node:assert/strict';
import type { DeletedFile } from '../../../agent/contract/lifecycle.ts';
import type { StandingEntry } from '../../../agent/contract/source.ts';
import { causesOfDeletion, retention } from '../../../parsers/gemini-cli/lifecycle.ts';
import { deleted, TALLY } from '../../support/deleted.ts';

const CHATS = 'tmp/shop/chats';
const OTHER = `${CHATS}/session-2026-11-29T10-00-99999999.jsonl`;

function session(id8: string, facts: Partial<DeletedFile> = {}): DeletedFile {
  return deleted(`${CHATS}/session-2026-11-28T10-00-${id8}.jsonl`, facts);
}

function causes(files: readonly DeletedFile[], left: readonly string[] = [OTHER]) {
  return causesOfDeletion({ files, left: left.map((path) => ({ path, ageDays: 1 })) });
}

function setting(name: string, value: string, scope = 'home'): StandingEntry {
  return {
    key: `general.sessionRetention.${name}`,
    value,
    label: 'session retention',
    event: 'retention.setting',
    subject: `${name}=${value}`,
    attributes: { scope },
  };
}

function inForce(...settings: StandingEntry[]) {
  return retention({ path: OTHER, settings });
}

describe('parsers/gemini-cli/lifecycle', () => {
  describe('retention', () => {
    it('is thirty days unless settings say otherwise', () => {
      assert.deepEqual(inForce(), { days: 30, count: null });
    });

    for (const [value, days] of [
      ['7d', 7],
      ['36h', 1.5],
      ['2w', 14],
      ['1m', 30],
    ] as const)
      it(`takes ${value} for ${days} days`, () => {
        assert.deepEqual(inForce(setting('maxAge', value)), { days, count: null });
      });

    it('has no limit when it is switched off, or when the program would refuse its values', () => {
      const none = { days: null, count: null };

      assert.deepEqual(inForce(setting('enabled', 'false'), setting('maxAge', '7d')), none);
      assert.deepEqual(inForce(setting('maxAge', 'soon')), none);
      assert.deepEqual(inForce(setting('maxAge', '12h')), none);
      assert.deepEqual(inForce(setting('maxAge', '2d'), setting('minRetention', '1w')), none);
      assert.deepEqual(inForce(setting('maxCount', '0')), none);
    });

    it('follows a lower floor', () => {
      const settings = [setting('maxAge', '12h'), setting('minRetention', '1h')];

      assert.deepEqual(inForce(...settings), { days: 0.5, count: null });
    });

    it('lets the machine win over the project, and the project over the user', () => {
      const [user, project, system] = [
        setting('maxAge', '10d'),
        setting('maxAge', '5d', 'project'),
        setting('maxAge', '90d', 'system'),
      ] as const;

      assert.equal(inForce(project, user).days, 5);
      assert.equal(inForce(system, project, user).days, 90);
    });
  });

  describe('cause of a deletion', () => {
    it('is age when the last record is older than the retention in force', () => {
      assert.deepEqual(causes([session('aaaaaaaa', { ageDays: 30 })]), ['expired']);
      assert.deepEqual(causes([session('aaaaaaaa', { ageDays: 29.9 })]), ['user']);
      assert.deepEqual(
        causes([session('aaaaaaaa', { ageDays: 400, retention: { days: null, count: null } })]),
        ['user'],
      );
    });

    it('is that nothing can be resumed when the model neither said nor did anything, or the header is missing', () => {
      const empty = session('aaaaaaaa', { tally: { ...TALLY, answers: 0, calls: 0 } });
      const headless = session('bbbbbbbb', { tally: { ...TALLY, starts: 0 } });

      assert.deepEqual(causes([empty, headless]), ['unresumable', 'unresumable']);
    });

    it('is the shared id for the transcript that a stub takes with it', () => {
      const stub = deleted(`${CHATS}/session-2026-11-29T11-00-aaaaaaaa.jsonl`, {
        tally: { ...TALLY, prompts: 0, answers: 0, calls: 0 },
      });

      assert.deepEqual(causes([session('aaaaaaaa'), stub, session('bbbbbbbb')]), [
        'shared_id',
        'unresumable',
        'user',
      ]);
    });

    it('tells a shared id from the same id in another project', () => {
      const elsewhere = deleted('tmp/other/chats/session-2026-11-29T11-00-aaaaaaaa.jsonl', { ageDays: 99 });

      assert.deepEqual(causes([session('aaaaaaaa'), elsewhere]), ['user', 'expired']);
    });

    it('is the count when as many sessions are left as the program may keep', () => {
      const limited = session('aaaaaaaa', { retention: { days: 30, count: 1 } });

      assert.deepEqual(causes([limited]), ['over_count']);
      assert.deepEqual(causes([limited], []), ['user']);
      assert.deepEqual(
        causes([{ ...limited, ageDays: 0.5 }]),
        ['user'],
        'the newest is never beyond the count',
      );
    });

    it('is the same for the files of subagents as for their session', () => {
      const parent = 'aaaaaaaa-1111-4000-8000-000000000001';
      const part = deleted(`${CHATS}/${parent}/bbbb.jsonl`, { alongWith: 'folder' });

      assert.deepEqual(causes([session('aaaaaaaa', { ageDays: 31 }), part]), ['expired', 'expired']);
      assert.deepEqual(causes([part, session('aaaaaaaa')]), ['delete_command', 'delete_command']);
      assert.deepEqual(causes([part]), ['unknown']);
    });

    it('does not want a header of sessions of old releases', () => {
      const legacy = deleted(`${CHATS}/session-2026-11-28T10-00-aaaaaaaa.json`, {
        tally: { ...TALLY, starts: 0 },
      });

      assert.deepEqual(causes([legacy]), ['user']);
    });
  });
});
