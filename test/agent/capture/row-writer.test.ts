import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type FileContext, type HostContext, laneOf, RowWriter } from '../../../agent/capture/row-writer.ts';
import { NO_SESSION, turnIndex } from '../../../agent/contract/commit.ts';
import type { EventName } from '../../../agent/contract/events.ts';
import type { DraftRow, Row } from '../../../agent/contract/row.ts';
import { ROW_FIELDS } from '../../../agent/contract/row-fields.ts';
import { rowIdFromBytes } from '../../../agent/contract/row-id.ts';

const HOST: HostContext = { id: 'h1', name: 'laptop "1"', labels: { team: 'röd' }, maxTextBytes: 1_000 };
const FILE: FileContext = {
  agent: 'gemini-cli',
  sourceFile: '.gemini/a.jsonl',
  role: 'primary',
  backfill: false,
  user: 'alice',
};
const NOW = '2026-11-30T12:00:00.000Z';
const OPTIONAL = ['text_sha256', 'text_bytes'];

describe('agent/capture/row-writer', () => {
  it('writes every field of the contract in its order, and the optional ones only when text is cut', () => {
    const all = Object.keys(ROW_FIELDS).filter((name) => name !== 'seq');

    const short = Object.keys(rowOf(draft('hello')));
    const long = Object.keys(rowOf(draft('x'.repeat(2_000))));

    assert.deepEqual(
      short,
      all.filter((name) => !OPTIONAL.includes(name)),
    );
    assert.deepEqual(long, all);
  });

  it('writes a row that says what the draft said', () => {
    const full: DraftRow = {
      ...draft('text'),
      turn_type: 'tool_use',
      timestamp_utc: '2026-10-01T09:00:00.000Z',
      session_id: 's1',
      project_path: '/home/alice/p',
      git_branch: 'main',
      model: 'm',
      tool_name: 't',
      tool_use_id: 'u',
      event: null,
      attributes: { n: 1, b: true, s: 'x' },
      source_line: 3,
      recovered: true,
    };

    const { row_id, ...row } = rowOf(full);

    assert.match(row_id, /^hf1_[0-9a-f]{32}$/);
    assert.deepEqual(row, {
      schema: 1,
      agent: 'gemini-cli',
      timestamp_utc: '2026-10-01T09:00:00.000Z',
      timestamp_source: 'record',
      session_id: 's1',
      project_path: '/home/alice/p',
      git_branch: 'main',
      turn_type: 'tool_use',
      model: 'm',
      tool_name: 't',
      tool_use_id: 'u',
      text: 'text',
      event: null,
      attributes: { n: 1, b: true, s: 'x' },
      source_file: '.gemini/a.jsonl',
      source_line: 3,
      role: 'primary',
      recovered: true,
      backfill: false,
      masked: {},
      host_id: 'h1',
      host_name: 'laptop "1"',
      labels: { team: 'röd' },
      os_user: 'alice',
      observed_at: NOW,
    });
  });

  it('gives one line of JSON whatever the text, and the text comes back', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const line = linesOf(draft(text))[0] ?? '';

        assert.ok(!line.slice(0, -1).includes('\n'));
        assert.equal(JSON.parse(line).text, text.toWellFormed().replaceAll('\0', '\u2400'));
      }),
    );
  });

  it('leaves no NUL and no half of a character in any text of a row', () => {
    const bad = 'a\0b\ud800c';
    const row = rowOf({
      ...draft(bad),
      session_id: bad,
      project_path: bad,
      git_branch: bad,
      model: bad,
      tool_name: bad,
      tool_use_id: bad,
      event: bad as EventName,
      attributes: { fact: bad },
    });

    const texts = Object.values({ ...row, ...row.attributes }).filter((value) => typeof value === 'string');
    assert.deepEqual(
      texts.filter((text) => text.includes('\0') || !text.isWellFormed()),
      [],
    );
    assert.equal(row.session_id, 'a\u2400b\ufffdc');
  });

  it('cuts a long text at a character, whatever the limit, and tells its whole length and hash', () => {
    fc.assert(
      fc.property(anyText(), fc.integer({ min: 1, max: 60 }), (text, maxTextBytes) => {
        const clean = text.toWellFormed().replaceAll('\0', '\u2400');
        const whole = Buffer.from(clean);
        const row = rowOf(draft(text), { ...HOST, maxTextBytes });

        if (whole.length <= maxTextBytes) {
          assert.equal(row.text, clean);
          return;
        }
        const note = `\n[cut: ${maxTextBytes} of ${whole.length} bytes]`;
        assert.ok(row.text.endsWith(note));
        const kept = row.text.slice(0, -note.length);
        assert.ok(clean.startsWith(kept));
        const next = [...clean.slice(kept.length)][0] ?? '';
        assert.ok(Buffer.byteLength(kept) <= maxTextBytes);
        assert.ok(Buffer.byteLength(kept + next) > maxTextBytes, 'not a character too few');
        assert.equal(row.text_bytes, whole.length);
        assert.equal(row.text_sha256, createHash('sha256').update(whole).digest('hex'));
      }),
      { numRuns: 500 },
    );
  });

  it('cuts a long attribute between characters', () => {
    const row = rowOf({ ...draft('t'), attributes: { path: `${'x'.repeat(4_095)}🙂🙂` } });

    assert.equal(row.attributes['path'], 'x'.repeat(4_095));
  });

  it('writes numbers that JSON does not know as text', () => {
    const row = rowOf({ ...draft('t'), attributes: { big: Infinity, none: NaN } });

    assert.deepEqual(row.attributes, { big: 'Infinity', none: 'NaN' });
  });

  it('gives an id that depends on what happened in a session and on nothing else', () => {
    const said = { ...draft('text'), session_id: 's' };
    const known = idOf(said);
    const elsewhere = { ...FILE, sourceFile: '/other', role: 'secondary' as const, user: 'bob' };

    for (const same of [
      idOf({ ...said, source_line: 99, recovered: true, model: 'other', git_branch: 'b' }),
      idOf(said, { ...elsewhere, backfill: true }),
      idOf({ ...said, text: 'another text', content: 'text' }),
      idOf({ ...said, session_id: 'full-id', sessionKey: 's' }),
      idOf(said, FILE, { ...HOST, id: 'h2', labels: {}, maxTextBytes: 2 }),
    ])
      assert.equal(same, known);
    for (const other of [
      idOf({ ...said, text: 'texts' }),
      idOf({ ...said, record: 'r2' }),
      idOf({ ...said, part: 'p2' }),
      idOf({ ...said, session_id: 's2' }),
      idOf(said, { ...FILE, agent: 'qwen-code' }),
    ])
      assert.notEqual(other, known);
  });

  it('tells what belongs to no session apart by machine and user, not by file', () => {
    const known = idOf(draft('setting'));

    assert.equal(idOf(draft('setting'), { ...FILE, sourceFile: 'other', backfill: true }), known);
    assert.notEqual(idOf(draft('setting'), { ...FILE, user: 'bob' }), known);
    assert.notEqual(idOf(draft('setting'), FILE, { ...HOST, id: 'h2' }), known);
  });

  it('says beside the lines which session and which turn each row is of', () => {
    const writer = new RowWriter(HOST);
    const at = (time: string | null) => ({ timestamp_utc: time });
    writer.add({ ...draft('1'), session_id: 'a', ...at('2026-10-01T09:00:05.000Z') }, FILE, NOW);
    writer.add({ ...draft('2'), turn_type: 'system' }, FILE, NOW);
    writer.add({ ...draft('3'), session_id: 'b', turn_type: 'assistant' }, FILE, NOW);
    writer.add(
      { ...draft('4'), session_id: 'a', project_path: '/p', ...at('2026-10-01T09:00:01.000Z') },
      FILE,
      NOW,
    );

    const rows = writer.take();

    assert.deepEqual(
      [0, 1, 2, 3].map((row) => rows.sessionOf.readUInt16LE(row * 2)),
      [0, NO_SESSION, 1, 0],
    );
    assert.deepEqual([...rows.turns], ['user', 'system', 'assistant', 'user'].map(turnIndex as never));
    assert.deepEqual(rows.sessions[0], {
      agent: 'gemini-cli',
      session: 'a',
      project: '/p',
      user: 'alice',
      first: '2026-10-01T09:00:01.000Z',
      last: '2026-10-01T09:00:05.000Z',
    });
  });

  it('hands out rows once and starts anew', () => {
    const writer = new RowWriter(HOST);
    writer.add({ ...draft('1'), session_id: 'a' }, FILE, NOW);

    const first = writer.take();
    const second = writer.take();

    assert.equal(first.count, 1);
    assert.deepEqual(
      [second.count, second.lines.length, second.sessions.length, writer.bytes, writer.count],
      [0, 0, 0, 0, 0],
    );
  });

  it('sends what may alert ahead, but not what the first scan finds', () => {
    const lanes = (['permission.setting', 'permission.decision', 'model.change', null] as const).map(
      (event) => laneOf({ ...draft('t'), event }, false),
    );

    assert.deepEqual(lanes, ['alert', 'alert', 'live', 'live']);
    assert.equal(laneOf({ ...draft('t'), event: 'permission.setting' }, true), 'backfill');
  });
});

function draft(text: string): DraftRow {
  return { record: 'r1', part: 'text', turn_type: 'user', text };
}

function linesOf(row: DraftRow, host = HOST): string[] {
  const writer = new RowWriter(host);
  writer.add(row, FILE, NOW);
  return [writer.take().lines.toString('utf8')];
}

function rowOf(row: DraftRow, host = HOST): Row {
  return JSON.parse(linesOf(row, host)[0] ?? '') as Row;
}

function idOf(row: DraftRow, file = FILE, host = HOST): string {
  const writer = new RowWriter(host);
  writer.add(row, file, NOW);
  return rowIdFromBytes(writer.take().ids);
}

/** Text of every width in UTF-8, with halves of characters, NUL and line ends of every kind. */
function anyText() {
  const unit = fc.oneof(
    fc.constantFrom('a', 'ä', '€', '🙂', '\0', '\n', '\r', '"', '\\', '\u2028', '\ud800', '\udc00', '\u0007'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  return fc.array(unit, { maxLength: 40 }).map((units) => units.join(''));
}
