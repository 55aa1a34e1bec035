import assert from 'node:assert/strict';
import { entriesOf } from '../specs.ts';

describe('parsers/gemini-cli/standing/keyed-by-project', () => {
  it('gives each trusted hook with its project', () => {
    const text = JSON.stringify({ '/srv/a': ['lint:npm run lint', 'x'], '/srv/b': ['lint:npm run lint'] });

    const entries = entriesOf('trusted_hooks.json', text);

    assert.deepEqual(
      entries.map(({ subject, project }) => [subject, project]),
      [
        ['trustedHooks=lint:npm run lint', '/srv/a'],
        ['trustedHooks=x', '/srv/a'],
        ['trustedHooks=lint:npm run lint', '/srv/b'],
      ],
    );
    assert.equal(new Set(entries.map(({ key }) => key)).size, 3);
  });

  it('gives each acknowledged agent with its hash and project', () => {
    const entries = entriesOf('acknowledgments/agents.json', '{"/srv/a":{"reviewer":"0123"},"/srv/b":null}');

    assert.deepEqual(
      entries.map(({ key, value, subject, project }) => [key, value, subject, project]),
      [['acknowledgedAgents./srv/a[reviewer]', '0123', 'acknowledgedAgents.reviewer=0123', '/srv/a']],
    );
  });
});
