import assert from 'node:assert/strict';
import { isLoopback } from '../../../agent/contract/loopback.ts';

describe('agent/contract/loopback', () => {
  for (const name of ['localhost', 'LocalHost.', 'a.localhost', '127.0.0.1', '127.8.9.1', '[::1]', '::1']) {
    it(`counts ${name} as this machine`, () => assert.ok(isLoopback(name)));
  }

  for (const name of [
    'localhost.example.com',
    'notlocalhost',
    '127.0.0.1.example.com',
    '127.0.0',
    '127.0.0.1111',
    '0.0.0.0',
    '[::]',
    '10.0.0.1',
    '',
  ]) {
    it(`counts ${name === '' ? 'an empty name' : name} as another`, () => assert.ok(!isLoopback(name)));
  }
});
