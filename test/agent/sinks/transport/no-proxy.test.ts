import assert from 'node:assert/strict';
import { bypassesProxy } from '../../../../agent/sinks/transport/no-proxy.ts';

describe('agent/sinks/transport/no-proxy', () => {
  const cases: readonly (readonly [entry: string, url: string, bypasses: boolean])[] = [
    ['*', 'https://collector.example.com', true],
    ['example.com', 'https://example.com', true],
    ['example.com', 'https://collector.example.com', true],
    ['example.com', 'https://notexample.com', false],
    ['.example.com', 'https://collector.example.com', true],
    ['*.example.com', 'https://collector.example.com', true],
    ['EXAMPLE.com ', 'https://Collector.Example.com', true],
    ['example.com:8443', 'https://collector.example.com:8443', true],
    ['example.com:8443', 'https://collector.example.com', false],
    ['example.com:443', 'https://collector.example.com', true],
    ['example.com:80', 'http://example.com', true],
    ['10.1.2.3', 'https://10.1.2.3', true],
    ['0.0.1', 'https://127.0.0.1', false],
    ['10.0.0.0/8', 'https://10.200.1.1', true],
    ['10.0.0.0/8', 'https://11.0.0.1', false],
    ['10.0.0.0/8', 'https://ten.example.com', false],
    ['fd00::/8', 'https://[fd12::1]', true],
    ['fd00::/8', 'https://[fe80::1]', false],
    ['::1', 'https://[::1]:8443', true],
    ['[::1]', 'https://[::1]', true],
    ['[::1]:8443', 'https://[::1]:8443', true],
    ['[::1]:8443', 'https://[::1]:9000', false],
    ['10.0.0.0/99', 'https://10.0.0.1', false],
    ['10.0.0.0/', 'https://10.0.0.1', false],
    ['', 'https://example.com', false],
  ];
  for (const [entry, url, bypasses] of cases) {
    it(`${bypasses ? 'takes' : 'does not take'} ${url} for ${JSON.stringify(entry)}`, () => {
      assert.equal(bypassesProxy(new URL(url), ['unrelated.test', entry]), bypasses);
    });
  }
});
