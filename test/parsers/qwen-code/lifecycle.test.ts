import assert from 'node:assert/strict';
import type { StandingEntry } from '../../../agent/contract/source.ts';
import { causesOfDeletion, retention } from '../../../parsers/qwen-code/lifecycle.ts';
import { deleted } from '../../support/deleted.ts';

const SESSION = 'projects/-srv-shop/chats/aaaa.jsonl';
const SUBAGENT = 'projects/-srv-shop/subagents/aaaa/agent-bbbb.jsonl';
const OTHER = 'projects/-srv-shop/chats/cccc.jsonl';

function period(value: string): StandingEntry {
  return {
    key: 'general.cleanupPeriodDays',
    value,
    label: 'session retention',
    event: 'retention.setting',
    subject: value,
  };
}

describe('parsers/qwen-code/lifecycle', () => {
  it('knows no age limit for sessions, and thirty days for transcripts of subagents', () => {
    assert.deepEqual(retention({ path: SESSION, settings: [period('3')] }), { days: null, count: null });
    assert.deepEqual(retention({ path: SUBAGENT, settings: [] }), { days: 30, count: null });
  });

  it('follows the period that is set, where 0 is an hour', () => {
    assert.equal(retention({ path: SUBAGENT, settings: [period('3')] }).days, 3);
    assert.equal(retention({ path: SUBAGENT, settings: [period('0')] }).days, 1 / 24);
  });

  it('takes the deletion of a session for the deed of a person, however old it was', () => {
    const old = deleted(SESSION, { ageDays: 400, retention: { days: null, count: null } });

    assert.deepEqual(causesOfDeletion({ files: [old], left: [{ path: OTHER, ageDays: 1 }] }), ['user']);
  });

  it('tells an expired transcript of a subagent from one that went with its session', () => {
    const expired = deleted(SUBAGENT, { ageDays: 31 });
    const fresh = deleted(SUBAGENT);

    assert.deepEqual(causesOfDeletion({ files: [expired], left: [{ path: SESSION, ageDays: 1 }] }), [
      'expired',
    ]);
    assert.deepEqual(causesOfDeletion({ files: [fresh], left: [{ path: SESSION, ageDays: 1 }] }), [
      'unknown',
    ]);
    assert.deepEqual(
      causesOfDeletion({ files: [deleted(SESSION), fresh], left: [{ path: OTHER, ageDays: 1 }] }),
      ['delete_command', 'delete_command'],
    );
  });
});
