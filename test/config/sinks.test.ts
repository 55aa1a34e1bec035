import assert from 'node:assert/strict';
import { load, problems } from './support.ts';

const sinks = (...list: object[]) =>
  problems(JSON.stringify({ sinks: list })).map((line) => line.replace(/^config\.yaml:\d+:\d+: /, ''));
const http = (keys: object) => sinks({ type: 'http', url: 'https://c.example.com/v1/rows', ...keys });

describe('config/sink-schema', () => {
  it('tells kinds by type', () => {
    assert.deepEqual(sinks({ type: 'file', path: '/x' }), []);
    assert.deepEqual(sinks({ type: 'file' }), ['sinks[0].path: is missing; it must be an absolute path']);
    assert.deepEqual(sinks({ type: 'kafka' }), [
      'sinks[0].type: must be one of http, otlp, splunk_hec, elasticsearch, file',
    ]);
    assert.deepEqual(sinks({}), [
      'sinks[0].type: is missing; it must be one of http, otlp, splunk_hec, elasticsearch, file',
    ]);
    assert.deepEqual(sinks({ type: 'file', path: '/x', url: 'https://c.example.com' }), [
      'sinks[0].url: unknown key here; did you mean sinks[].url?',
    ]);
  });

  it('wants one id a sink, the kind being the id of those that have none', () => {
    const file = { type: 'file', path: '/x' };

    assert.deepEqual(sinks(file, { ...file, id: 'other' }), []);
    assert.deepEqual(sinks(file, { ...file, id: 'other' }, file), [
      'sinks[2].id: file already names sinks[0]; give every sink its own id',
    ]);
    assert.equal(sinks({ ...file, id: 'A/B' }).length, 1);
  });

  it('bounds batches', () => {
    assert.deepEqual(http({ batch: { max_rows: 0, max_bytes: 1 } }), [
      'sinks[0].batch.max_rows: must be a whole number from 1 to 10000',
      'sinks[0].batch.max_bytes: must be a whole number from 16384 to 67108864',
    ]);
  });

  for (const url of [
    'https://c.example.com',
    'https://10.0.0.1:8443/x?tenant=a',
    'http://localhost:7842/v1/rows',
    'http://127.0.0.1:1',
    'http://127.8.9.1',
    'http://[::1]:80',
  ]) {
    it(`takes ${url}`, () => assert.deepEqual(http({ url }), []));
  }

  for (const [url, expected] of [
    ['c.example.com', /must be an https URL/],
    ['ftp://c.example.com', /must be an https URL/],
    ['http://c.example.com', /must be https; plain http is for loopback/],
    ['http://127.0.0.1.example.com', /must be https/],
    ['http://localhost.example.com', /must be https/],
    ['http://0.0.0.0', /must be https/],
    ['https://alice:pw@c.example.com', /must not hold a user name or password/],
    ['https://alice@c.example.com', /must not hold a user name or password/],
    ['https://c.example.com/#x', /must not hold a fragment/],
    ['https://c.example.com/?access_token=abc', /must not hold a secret in its query/],
    ['https://c.example.com/?api-version=1&sig=abc', /must not hold a secret in its query/],
  ] as const) {
    it(`refuses ${url}`, () => {
      const found = http({ url });

      assert.equal(found.length, 1);
      assert.match(found[0] ?? '', expected);
      assert.doesNotMatch(found[0] ?? '', /pw|abc/);
    });
  }

  it('takes plain http for any host once that is allowed', () => {
    assert.deepEqual(http({ url: 'http://c.example.com', allow_insecure: true }), []);
  });

  it('takes a token from one place only', () => {
    assert.deepEqual(http({ token_file: '/t' }), []);
    assert.deepEqual(http({ token_env: 'COLLECTOR_TOKEN' }), []);
    assert.deepEqual(http({ token_file: '/t', token_env: 'T' }), [
      'sinks[0].token_env: cannot be set together with token_file; keep one of them',
    ]);
    assert.equal(http({ token_env: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a' }).length, 1);
  });

  it('wants certificate and key together', () => {
    assert.deepEqual(http({ cert_file: '/c', key_file: '/k' }), []);
    assert.deepEqual(http({ cert_file: '/c' }), [
      'sinks[0].cert_file: needs key_file, the private key of this certificate',
    ]);
    assert.deepEqual(http({ key_file: '/k' }), [
      'sinks[0].key_file: needs cert_file, the certificate of this private key',
    ]);
  });

  it('takes a proxy without its credential', () => {
    assert.deepEqual(
      http({ proxy: 'http://proxy.example.com:3128', proxy_auth_file: '/p', no_proxy: ['.example.com'] }),
      [],
    );
    assert.match(
      http({ proxy: 'http://a:b@proxy.example.com' })[0] ?? '',
      /proxy: must not hold a user name or password.*proxy_auth_file/,
    );
    assert.match(http({ proxy: 'socks5://proxy.example.com' })[0] ?? '', /must be an http or https URL/);
    assert.match(http({ proxy: 'http://proxy.example.com/pac' })[0] ?? '', /must end after the port/);
    assert.match(
      http({ proxy: 'http://p.example.com', proxy_auth_file: '/p', proxy_auth_env: 'P' })[0] ?? '',
      /proxy_auth_env: cannot be set together/,
    );
    assert.match(http({ proxy_auth_env: 'P' })[0] ?? '', /proxy_auth_env: needs proxy/);
  });

  it('speaks of rules between keys also beside a wrong value', () => {
    assert.deepEqual(http({ timeout_ms: 'x', cert_file: '/c' }), [
      'sinks[0].timeout_ms: must be a whole number from 1000 to 600000, not text',
      'sinks[0].cert_file: needs key_file, the private key of this certificate',
    ]);
  });

  for (const type of ['otlp', 'splunk_hec', 'elasticsearch']) {
    const sink = (keys: object) => sinks({ type, url: 'https://c.example.com', token_file: '/t', ...keys });

    it(`holds a sink of type ${type} to the rules of every connection`, () => {
      assert.deepEqual(sink({}), []);
      assert.match(sink({ url: 'http://c.example.com' })[0] ?? '', /url: must be https/);
      assert.match(sink({ token_env: 'T' })[0] ?? '', /token_env: cannot be set together with token_file/);
      assert.match(sink({ cert_file: '/c' })[0] ?? '', /cert_file: needs key_file/);
      assert.match(sink({ proxy_auth_file: '/p' })[0] ?? '', /proxy_auth_file: needs proxy/);
      assert.deepEqual(sink({ compression: 'zstd' }), ['sinks[0].compression: must be one of gzip, none']);
    });
  }

  it('wants a token for an event collector', () => {
    const hec = (keys: object) => sinks({ type: 'splunk_hec', url: 'https://c.example.com', ...keys });

    assert.deepEqual(hec({ token_env: 'HEC_TOKEN' }), []);
    assert.deepEqual(hec({}), [
      'sinks[0].token_file: is missing, and so is token_env; the event collector wants a token',
    ]);
    assert.equal(hec({ token_env: 'T', index: 'Main' }).length, 1);
    assert.equal(hec({ token_env: 'T', ack_timeout_ms: 10 }).length, 1);
  });

  for (const index of ['holdfast-rows', 'logs-holdfast.rows-default', 'a', '0']) {
    it(`takes ${index} for the name of an index`, () => {
      assert.deepEqual(sinks({ type: 'elasticsearch', url: 'https://c.example.com', index }), []);
    });
  }

  for (const index of [
    '',
    'Rows',
    '-rows',
    '_rows',
    '.rows',
    'a b',
    'a/b',
    'a*',
    '<a-{now/d}>',
    'a:b',
    'ä',
  ]) {
    it(`does not take ${JSON.stringify(index)} for the name of an index`, () => {
      assert.match(
        sinks({ type: 'elasticsearch', url: 'https://c.example.com', index })[0] ?? '',
        /index: must be the name of an index or data stream/,
      );
    });
  }

  it('takes the name of a header for a token only where it has an effect', () => {
    const otlp = (keys: object) => sinks({ type: 'otlp', url: 'https://c.example.com', ...keys });

    assert.deepEqual(otlp({ auth: 'header', auth_header: 'X-Api-Key' }), []);
    assert.deepEqual(otlp({ auth_header: 'X-Api-Key' }), [
      'sinks[0].auth_header: has no effect unless auth is header',
    ]);
    assert.equal(otlp({ auth: 'header', auth_header: 'X Api: Key' }).length, 1);
  });

  it('knows variables that any kind of sink names', () => {
    const text = 'sinks: [{type: otlp, url: "https://c.example.com", token_env: HOLDFAST_OTLP_TOKEN}]';

    assert.deepEqual(load(text, { env: { HOLDFAST_OTLP_TOKEN: 'x' } }).warnings, []);
  });
});
