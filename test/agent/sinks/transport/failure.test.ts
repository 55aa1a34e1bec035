import assert from 'node:assert/strict';
import { failureOf } from '../../../../agent/sinks/transport/failure.ts';

const CONTEXT = { host: 'collector.example.com', tls: true, clientCertificate: false, connected: false };

function coded(code: string, message = 'boom'): Error {
  return Object.assign(new Error(message), { code });
}

describe('agent/sinks/transport/failure', () => {
  const cases: readonly (readonly [code: string, words: RegExp])[] = [
    ['ENOTFOUND', /its name cannot be resolved$/],
    ['EAI_AGAIN', /its name cannot be resolved now$/],
    ['EHOSTUNREACH', /there is no route to it$/],
    ['ENETUNREACH', /the network cannot be reached$/],
    ['ETIMEDOUT', /the connection timed out$/],
    ['CERT_NOT_YET_VALID', /not valid yet; is the clock of this machine right\?/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /name it with ca_file/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /does not speak TLS as we do/],
    ['EMFILE', /boom \(EMFILE\)$/],
  ];
  for (const [code, words] of cases) {
    it(`has words for ${code}`, () => {
      const { reason, credential } = failureOf(coded(code), CONTEXT);

      assert.match(reason, /^collector\.example\.com: /);
      assert.match(reason, words);
      assert.equal(credential, false);
    });
  }

  it('hints at a client certificate when a fresh TLS connection is closed without an answer', () => {
    const open = { ...CONTEXT, connected: true };

    assert.match(failureOf(coded('ECONNRESET'), open).reason, /if it wants a client certificate/);
    assert.doesNotMatch(failureOf(coded('ECONNRESET'), CONTEXT).reason, /client certificate/);
    assert.doesNotMatch(failureOf(coded('ECONNRESET'), { ...open, tls: false }).reason, /client certificate/);
    assert.doesNotMatch(
      failureOf(coded('ECONNRESET'), { ...open, clientCertificate: true }).reason,
      /certificate/,
    );
  });

  for (const code of ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED']) {
    it(`takes ${code} for a client certificate that is not accepted`, () => {
      const failure = failureOf(coded(code), { ...CONTEXT, clientCertificate: true });

      assert.match(failure.reason, /it does not accept our client certificate/);
      assert.equal(failure.credential, true);
    });
  }

  it('takes what is no error at all', () => {
    assert.equal(failureOf('odd', CONTEXT).reason, 'collector.example.com: odd');
  });
});
