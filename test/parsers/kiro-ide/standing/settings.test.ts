import assert from 'node:assert/strict';
import { entries } from '../support.ts';

describe('parsers/kiro-ide/standing/settings', () => {
  for (const [key, value] of [
    ['trustedCommands', ['*']],
    ['trustedCommands', [' ** ']],
    ['trustedCommands', 'all'],
    ['trustedTools', ['*']],
    ['trustedTools', ['executeBash']],
    ['agentAutonomy', 'Autopilot'],
    ['autopilot', true],
    ['mcp.autoApproveAll', true],
  ] as const) {
    it(`takes ${key} ${JSON.stringify(value)} for trust in everything`, () => {
      assert.deepEqual(trusting({ [`kiroAgent.${key}`]: value }), [true]);
    });
  }

  for (const [key, value] of [
    ['trustedCommands', ['git *']],
    ['trustedCommands', 'common'],
    ['trustedTools', ['readFile']],
    ['commandDenylist', ['*']],
    ['agentAutonomy', 'Supervised'],
    ['autopilot', false],
    ['mcpApprovedEnvVars', ['*']],
  ] as const) {
    it(`takes ${key} ${JSON.stringify(value)} for less than that`, () => {
      assert.deepEqual(trusting({ [`kiroAgent.${key}`]: value }), [false]);
    });
  }

  it('looks at no key of another extension', () => {
    const found = entries('settings.json', { 'github.token': 'secret', 'kiroAgent.secretThing': 'secret' });

    assert.deepEqual(found, []);
  });

  it('has the same entries in any order', () => {
    const one = entries('settings.json', { 'kiroAgent.trustedCommands': ['a', 'b'] });
    const other = entries('settings.json', { 'kiroAgent.trustedCommands': ['b', 'a', 'a'] });

    assert.deepEqual(new Map(one.map(pair)), new Map(other.map(pair)));
  });

  function trusting(settings: unknown): boolean[] {
    return entries('settings.json', settings).map(({ attributes }) => attributes?.['trust_all'] === true);
  }
});

function pair({ key, value }: { key: string; value: string }): [string, string] {
  return [key, value];
}
