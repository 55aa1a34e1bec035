import assert from 'node:assert/strict';
import { fakeContext } from '../../support.ts';
import { parse, SESSION_ID, said, specFor } from '../support.ts';

const PATH = `sessions/cli/${SESSION_ID}.lock`;

describe('parsers/kiro-cli/v2/lock', () => {
  it('tells which process has the session open', () => {
    const rows = parse('{"pid":4711,"started_at":"2026-10-01T08:00:00Z"}', PATH);

    assert.deepEqual(said(rows), ['session.process: session process: pid 4711 since 2026-10-01T08:00:00Z']);
    assert.equal(rows[0]?.session_id, SESSION_ID);
  });

  it('says that a process is gone which did not close the session, and nothing where nobody knows', () => {
    const spec = specFor(PATH);
    const bytes = Buffer.from('{"pid":4711,"started_at":"2026-10-01T08:00:00Z"}');
    const subjects = (isRunning: () => boolean | undefined) => {
      const result =
        spec.kind === 'standing' && spec.read({ bytes, settled: true }, fakeContext(PATH, { isRunning }));
      return result && result.kind === 'entries'
        ? result.entries.map(({ key, value }) => `${key} ${value}`)
        : [];
    };

    assert.deepEqual(
      subjects(() => true),
      ['lock 4711 2026-10-01T08:00:00Z'],
    );
    assert.deepEqual(
      subjects(() => undefined),
      ['lock 4711 2026-10-01T08:00:00Z'],
    );
    assert.deepEqual(
      subjects(() => false),
      ['lock 4711 2026-10-01T08:00:00Z', 'left 4711 2026-10-01T08:00:00Z'],
    );
  });

  it('says nothing of an empty or a broken one', () => {
    assert.deepEqual(parse('', PATH), []);
    assert.deepEqual(parse('{"pid":', PATH), []);
  });

  it('waits for one that is being written', () => {
    const spec = specFor(PATH);
    const document = { bytes: Buffer.alloc(0), settled: false };

    assert.deepEqual(spec.kind === 'standing' && spec.read(document, fakeContext(PATH)), { kind: 'torn' });
  });
});
