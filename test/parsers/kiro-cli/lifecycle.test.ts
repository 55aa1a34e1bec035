import assert from 'node:assert/strict';
import type { StandingEntry } from '../../../agent/contract/source.ts';
import { causesOfDeletion, retention } from '../../../parsers/kiro-cli/lifecycle.ts';
import { deleted } from '../../support/deleted.ts';

function inForce(value?: string) {
  const entry = (text: string): StandingEntry => ({
    key: 'cleanup.periodDays',
    value: text,
    label: 'session retention',
    event: 'retention.setting',
    subject: text,
  });
  return retention({ path: 'sessions/cli/a.jsonl', settings: value === undefined ? [] : [entry(value)] })
    .days;
}

describe('parsers/kiro-cli/lifecycle', () => {
  it('keeps sessions for the period of the settings, from 0 days on', () => {
    assert.equal(inForce('30'), 30);
    assert.equal(inForce('0'), 0);
  });

  it('keeps them for ever when it is unset, below zero or no number', () => {
    for (const value of [undefined, '-1', 'soon']) assert.equal(inForce(value), null);
  });

  it('takes what is older than the period for expired, and what is not for the deed of a person', () => {
    const old = deleted('sessions/cli/a.jsonl', { ageDays: 8, retention: { days: 7, count: null } });
    const fresh = deleted('sessions/cli/b.jsonl', { retention: { days: 7, count: null } });

    assert.deepEqual(
      causesOfDeletion({ files: [old, fresh], left: [{ path: 'sessions/cli/c.jsonl', ageDays: 1 }] }),
      ['expired', 'user'],
    );
  });

  it('does not take the folder of one session for the store', () => {
    const file = deleted('sessions/ab/sess_1/messages.jsonl', { alongWith: 'folder' });

    assert.deepEqual(
      causesOfDeletion({ files: [file], left: [{ path: 'sessions/ab/sess_2/messages.jsonl', ageDays: 1 }] }),
      ['user'],
    );
  });
});
