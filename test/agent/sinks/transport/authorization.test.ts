import assert from 'node:assert/strict';
import { type AuthForm, createAuthorization } from '../../../../agent/sinks/transport/authorization.ts';
import type { Secret } from '../../../../agent/sinks/transport/secret.ts';

function authorized(form: AuthForm, value = 'abc') {
  return createAuthorization(() => ({ kind: 'value', value }), form)();
}

describe('agent/sinks/transport/authorization', () => {
  for (const [scheme, header] of [
    ['bearer', 'Bearer abc'],
    ['api_key', 'ApiKey abc'],
    ['splunk', 'Splunk abc'],
    ['header', 'abc'],
  ] as const) {
    it(`writes the token as ${scheme}`, () => {
      assert.deepEqual(authorized({ scheme }), {
        kind: 'ready',
        headers: { authorization: header },
        secrets: ['abc'],
      });
    });
  }

  it('encodes user and password, and counts every form of them as secret', () => {
    assert.deepEqual(authorized({ scheme: 'basic' }, 'alice:p:w'), {
      kind: 'ready',
      headers: { authorization: 'Basic YWxpY2U6cDp3' },
      secrets: ['YWxpY2U6cDp3', 'alice:p:w', 'p:w'],
    });
    assert.deepEqual(authorized({ scheme: 'basic' }, 'alice:'), {
      kind: 'ready',
      headers: { authorization: 'Basic YWxpY2U6' },
      secrets: ['YWxpY2U6', 'alice:'],
    });
  });

  for (const value of ['alice', ':pw']) {
    it(`sends nothing when ${value} is to be user and password`, () => {
      assert.equal(authorized({ scheme: 'basic' }, value).kind, 'missing');
    });
  }

  it('uses another header when told to', () => {
    const result = authorized({ scheme: 'header', header: 'x-api-key' });

    assert.deepEqual(result.kind === 'ready' && result.headers, { 'x-api-key': 'abc' });
  });

  it('asks for the secret every time, and sends none when none is configured', () => {
    const secrets: Secret[] = [
      { kind: 'missing', reason: 'token file is empty' },
      { kind: 'value', value: 'new' },
    ];
    const authorize = createAuthorization(() => secrets.shift() ?? { kind: 'none' }, { scheme: 'bearer' });

    assert.deepEqual(authorize(), { kind: 'missing', reason: 'token file is empty' });
    assert.deepEqual(authorize(), {
      kind: 'ready',
      headers: { authorization: 'Bearer new' },
      secrets: ['new'],
    });
    assert.deepEqual(authorize(), { kind: 'ready', headers: {}, secrets: [] });
  });
});
