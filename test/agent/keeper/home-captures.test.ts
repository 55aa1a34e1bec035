import assert from 'node:assert/strict';
import { rootsFromEnv } from '../../../agent/keeper/home-captures.ts';

const SOURCE = {
  roots: [
    { path: '.toy', env: 'TOY_PARENT' },
    { path: '.other', dirEnv: ['OTHER_DIR', 'OTHER_TEST_DIR'] },
  ],
};
const VARIABLES: Record<string, string> = { TOY_PARENT: '/alt', OTHER_TEST_DIR: '/srv/test' };
const deps = { ownHome: '/home/alice', env: (name: string) => VARIABLES[name] };

describe('agent/keeper/home-captures', () => {
  it('adds the directories that variables name, as parents or by themselves', () => {
    assert.deepEqual(rootsFromEnv(SOURCE, { path: '/home/alice' }, deps), ['/alt/.toy', '/srv/test']);
  });

  it('knows the environment of its own home alone', () => {
    assert.deepEqual(rootsFromEnv(SOURCE, { path: '/home/bob' }, deps), []);
  });
});
