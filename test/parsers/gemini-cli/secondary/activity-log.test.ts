import assert from 'node:assert/strict';
import { fakeContext } from '../../support.ts';
import { parseLines, specFor } from '../specs.ts';
import { brief, type Json, PROJECT, SESSION_ID } from '../support.ts';

const PATH = `tmp/proj/logs/session-${SESSION_ID}.jsonl`;
const NOON = Date.parse('2026-10-01T12:00:00.000Z');

describe('parsers/gemini-cli/secondary/activity-log', () => {
  it('gives what the program wrote to its console', () => {
    const rows = lines({ type: 'console', payload: { type: 'warn', content: 'no keychain' } });

    const [row] = rows;
    assert.deepEqual(rows.map(brief), ['activity.console: console warn: no keychain']);
    assert.deepEqual(
      [row?.timestamp_utc, row?.session_id, row?.project_path, row?.source_line],
      ['2026-10-01T12:00:00.000Z', SESSION_ID, PROJECT, 1],
    );
  });

  it('gives requests and their outcome, never what they carry', () => {
    const rows = lines(
      network({
        id: 'a',
        method: 'POST',
        url: 'https://u:p@example.com/x?key=secret',
        headers: { a: 'secret' },
        body: 'secret',
      }),
      network({ id: 'a', pending: true, chunk: { index: 0, data: 'secret' } }),
      network({ id: 'b', method: 'GET', url: 'https://example.com/y' }),
      network({ id: 'a', pending: false, response: { status: 200, body: 'secret', durationMs: 12 } }),
      network({ id: 'b', pending: false, error: 'fetch failed' }),
    );

    assert.deepEqual(rows.map(brief), [
      'activity.network: network request: POST https://example.com/x',
      'activity.network: network request: GET https://example.com/y',
      'activity.network: network response: 200 POST https://example.com/x',
      'activity.network: network error: GET https://example.com/y: fetch failed',
    ]);
    assert.deepEqual(rows[2]?.attributes, {
      request: 'a',
      method: 'POST',
      url: 'https://example.com/x',
      status: 200,
      duration_ms: 12,
    });
    assert.ok(!JSON.stringify(rows).includes('secret'));
  });

  it('gives an answer whose request it has not seen', () => {
    const rows = lines(network({ id: 'a', response: { status: 500 } }), network({ id: 'b', error: 'x' }));

    assert.deepEqual(rows.map(brief), [
      'activity.network: network response: 500',
      'activity.network: network error: x',
    ]);
  });

  it('takes the session from the name when a line has none', () => {
    const [row] = parseLines(PATH, `${JSON.stringify({ type: 'console', payload: { content: 'x' } })}\n`);

    assert.deepEqual([row?.session_id, row?.timestamp_utc], [SESSION_ID, null]);
  });

  it('knows the session of the log for the cursor', () => {
    const spec = specFor(PATH);
    assert.ok(spec.kind === 'log');

    assert.equal(spec.open(fakeContext(PATH)).session(), SESSION_ID);
  });

  it('says which line cannot be read, and keeps those around it', () => {
    const good = JSON.stringify({ type: 'console', payload: { content: 'x' } });

    const rows = parseLines(PATH, `${good}\nnonsense\n{"type":"console"}\n7\n${good.slice(0, 20)}`);

    assert.deepEqual(rows.map(brief), [
      'activity.console: console log: x',
      'parser.error: parser: unparseable line (not valid JSON): nonsense',
      `parser.error: parser: unparseable line (cut off): ${good.slice(0, 20)}`,
    ]);
  });

  it('forgets open requests rather than growing without end', () => {
    const many = Array.from({ length: 1001 }, (_, id) =>
      network({ id: `r${id}`, url: 'https://example.com/' }),
    );

    const rows = lines(...many, network({ id: 'r0', response: { status: 200 } }));

    assert.equal(rows.at(-1)?.text, 'network response: 200');
  });
});

function network(payload: Json): Json {
  return { type: 'network', payload };
}

function lines(...records: readonly Json[]) {
  const text = records.map(
    (record) => `${JSON.stringify({ ...record, sessionId: SESSION_ID, timestamp: NOON })}\n`,
  );
  return parseLines(PATH, text.join(''));
}
