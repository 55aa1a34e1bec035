import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createRedactor, REDACTED } from '../../../agent/telemetry/redactor.ts';

describe('agent/telemetry/redactor', () => {
  const secret = 'p4ss/w"rd+ü?&';

  for (const [form, text] of [
    ['as it is', secret],
    ['inside JSON', JSON.stringify(secret).slice(1, -1)],
    ['in a URL', encodeURIComponent(secret)],
    ['in a URL in lower case', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['as hex', Buffer.from(secret).toString('hex')],
    ['as base64', Buffer.from(secret).toString('base64')],
    ['as base64url', Buffer.from(secret).toString('base64url')],
  ] as const) {
    it(`finds a secret ${form}`, () => {
      const redactor = createRedactor();
      redactor.add(secret);

      assert.equal(redactor.redact(`a ${text} b`), `a ${REDACTED} b`);
    });
  }

  it('finds a secret with blanks in a form', () => {
    const redactor = createRedactor();
    redactor.add('open sesame now');

    assert.equal(redactor.redact('x=open+sesame+now'), `x=${REDACTED}`);
  });

  it('leaves nothing of a secret in the base64 of a longer text, at any alignment', () => {
    const redactor = createRedactor();
    redactor.add('correct horse battery');

    for (const user of ['', 'a', 'al', 'ali', 'alic']) {
      const header = Buffer.from(`${user}:correct horse battery:x`).toString('base64');
      const shown = redactor.redact(`Basic ${header}`);

      assert.match(shown, /\[secret\]/);
      assert.ok(shown.length < 30, shown);
    }
  });

  it('hides the parts of a key file as well', () => {
    const redactor = createRedactor();
    redactor.add(
      '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n-----END PRIVATE KEY-----\n',
    );

    assert.equal(redactor.redact('got MIIEvQIBADANBgkqhkiG9w0B?'), `got ${REDACTED}?`);
  });

  it('takes the longer of two secrets that begin alike, and trims line ends of files', () => {
    const redactor = createRedactor();
    redactor.add('token-1\n');
    redactor.add('token-1-long');

    assert.equal(redactor.redact('token-1-long token-1'), `${REDACTED} ${REDACTED}`);
  });

  it('refuses what is too short to be a secret, and changes nothing without secrets', () => {
    const redactor = createRedactor();

    assert.equal(redactor.add('abc'), false);
    assert.equal(redactor.add('   \n'), false);
    assert.equal(redactor.redact('abc'), 'abc');
  });

  it('never lets any secret through, whatever characters it has', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4, maxLength: 40, unit: 'binary' }), (text) => {
        const value = text.trim();
        fc.pre(value.length >= 4 && !REDACTED.includes(value));
        const redactor = createRedactor();
        redactor.add(value);

        assert.ok(!redactor.redact(`<${value}>`).includes(value));
        assert.ok(!redactor.redact(`<${value}${value}>`).includes(value));
      }),
    );
  });
});
