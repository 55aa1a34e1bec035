import assert from 'node:assert/strict';
import fc from 'fast-check';
import { csvHeader, csvLine, rowBlock, rowLine } from '../../../agent/cli/row-text.ts';
import type { Row } from '../../../agent/contract/row.ts';
import { ROW_FIELDS } from '../../../agent/contract/row-fields.ts';

const EVIL = 'a\x1b]0;owned\x07\x9b2J\r\u202e\nb';

describe('agent/cli/row-text', () => {
  it('shows a row on one line', () => {
    assert.equal(
      plain(rowLine(rowOf({ text: 'say\nhello' }))),
      '2026-10-01 09:00:00 gemini-cli c0de0001 user                   say hello',
    );
  });

  it('shows what has neither time nor session', () => {
    assert.match(
      plain(rowLine(rowOf({ timestamp_utc: null, session_id: null }))),
      /^-{19} gemini-cli - {8}user/,
    );
  });

  it('shows a row with its whole text', () => {
    const block = plain(
      rowBlock(rowOf({ turn_type: 'tool_use', tool_name: 'shell', model: 'm', text: 'ls\n\t-l' })),
    );

    assert.equal(block, 'tool_use · shell · m 2026-10-01T09:00:00.000Z\nls\n\t-l\n');
  });

  it('lets no field play with the terminal', () => {
    const row = rowOf({ text: EVIL, session_id: EVIL, tool_name: EVIL, model: EVIL, event: EVIL });

    for (const shown of [rowLine(row), rowBlock(row)])
      assert.doesNotMatch(plain(shown).replaceAll('\n', ''), /[\p{Cc}\u202e]/u);
    assert.equal(rowLine(row).split('\n').length, 1);
    assert.equal(rowBlock(row).split('\n').length, 4);
  });

  it('writes CSV that gives every field back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const cells = parseCsv(csvLine(rowOf({ text })));

        const at = Object.keys(ROW_FIELDS).indexOf('text');
        assert.equal(cells.length, Object.keys(ROW_FIELDS).length);
        assert.equal(cells[at]?.replace(/^'(?=[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])/, ''), text);
      }),
    );
    assert.deepEqual(csvHeader().split(','), Object.keys(ROW_FIELDS));
  });

  it('makes no formula of any text', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '＝']) {
      const cells = parseCsv(
        csvLine(rowOf({ text: `${start}cmd|' /C calc'!A0`, project_path: `${start}1+1` })),
      );

      assert.equal(cells.filter((cell) => cell.startsWith(start)).length, 0, JSON.stringify(start));
      assert.equal(cells.filter((cell) => cell.startsWith(`'${start}`)).length, 2);
    }
  });

  it('leaves numbers, facts and what is not there as they are', () => {
    const cells = parseCsv(csvLine(rowOf({ source_line: 3, attributes: { n: -1 }, model: null })));
    const cellOf = (name: keyof Row) => cells[Object.keys(ROW_FIELDS).indexOf(name)];

    assert.deepEqual(
      [
        cellOf('source_line'),
        cellOf('attributes'),
        cellOf('model'),
        cellOf('recovered'),
        cellOf('text_bytes'),
      ],
      ['3', '{"n":-1}', '', 'false', ''],
    );
  });
});

function rowOf(changes: Partial<Row>): Row {
  return {
    seq: 1,
    row_id: 'hf1_00000000000000000000000000000001',
    schema: 1,
    agent: 'gemini-cli',
    timestamp_utc: '2026-10-01T09:00:00.000Z',
    timestamp_source: 'record',
    session_id: 'c0de0001-1111-4000-8000-000000000001',
    project_path: null,
    git_branch: null,
    turn_type: 'user',
    model: null,
    tool_name: null,
    tool_use_id: null,
    text: 'hello',
    event: null,
    attributes: {},
    source_file: '.gemini/a.jsonl',
    source_line: 1,
    role: 'primary',
    recovered: false,
    backfill: false,
    masked: {},
    host_id: 'h',
    host_name: 'laptop',
    os_user: 'alice',
    labels: {},
    observed_at: '2026-10-01T09:00:01.000Z',
    ...changes,
  };
}

/** Without the colours that we ourselves give it when the tests run on a terminal. */
function plain(text: string): string {
  return text.replaceAll(/\x1b\[\d+m/g, '');
}

/** One record as RFC 4180 says it is read. */
function parseCsv(line: string): string[] {
  const cells: string[] = [];
  for (const [, quoted, bare] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g))
    cells.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'));
  return cells;
}
