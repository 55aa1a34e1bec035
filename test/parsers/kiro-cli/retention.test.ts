import assert from 'node:assert/strict';
import { retentionNow } from '../../../parsers/kiro-cli/retention.ts';

const of = (text: string | undefined) =>
  retentionNow({ list: () => [], text: (path) => (path === 'settings/cli.json' ? text : undefined) });

describe('parsers/kiro-cli/retention', () => {
  it('is the period of the settings, from 0 days on', () => {
    assert.deepEqual(of('{"cleanup.periodDays": 30}'), { setting: 'cleanup.periodDays', days: 30 });
    assert.deepEqual(of('{"cleanup.periodDays": 0}'), { setting: 'cleanup.periodDays', days: 0 });
  });

  it('is none when it is unset, below zero, no number or not readable', () => {
    for (const text of ['{}', '{"cleanup.periodDays": -1}', '{"cleanup.periodDays": "30"}', '{', undefined])
      assert.equal(of(text), undefined);
  });
});
