import assert from 'node:assert/strict';
import { fakeContext } from '../../support.ts';
import {
  answer,
  CWD,
  call,
  eventRows,
  idOf,
  LOG_PATH,
  logSpec,
  parse,
  prompt,
  record,
  result,
  results,
  said,
} from '../support.ts';

describe('parsers/kiro-cli/v2/session', () => {
  it('reads prompts, answers, calls and results in their order', () => {
    const rows = parse([
      prompt('list files'),
      answer('a1', 'Looking.', call('t1')),
      results(result('t1', [{ kind: 'json', data: { exit_status: 'exit status: 0', stdout: 'README\n' } }])),
      answer('a2', 'One file.'),
    ]);

    assert.deepEqual(said(rows), [
      'user: list files',
      'assistant: Looking.',
      'tool_use: {"command":"ls"}',
      'tool_result: README\n',
      'assistant: One file.',
    ]);
  });

  it('gives prompts their own time and everything else that of the prompt before', () => {
    const [user, said_] = parse([prompt('now'), answer('a1', 'Yes.')]);

    assert.equal(user?.timestamp_utc, '2026-10-01T08:00:00.000Z');
    assert.equal(user?.timestamp_source, 'record');
    assert.equal(said_?.timestamp_utc, '2026-10-01T08:00:00.000Z');
    assert.equal(said_?.timestamp_source, 'derived');
  });

  it('names the session by the file and takes the project from its header, prompt by prompt', () => {
    const headers = [`{"cwd": "${CWD}"`, '{"cwd": "/srv/other", "x": 1}'];
    const small = { list: () => [], text: () => headers.shift() };
    const rows = parse([prompt('one'), answer('a1', 'Yes.'), prompt('two')], LOG_PATH, { small });

    assert.deepEqual(
      rows.map(({ session_id, project_path }) => [session_id, project_path]),
      [CWD, CWD, '/srv/other'].map((path) => ['c0de0001-1111-4000-8000-000000000001', path]),
    );
  });

  it('says that a command failed although its status is success', () => {
    const output = [{ kind: 'json', data: { exit_status: 'exit status: 3', stdout: '', stderr: 'no' } }];
    const rows = parse([answer('a1', call('t1')), results(result('t1', output))]);

    assert.equal(rows[1]?.text, 'no');
    assert.deepEqual(rows[1]?.attributes, {
      status: 'success',
      exit_status: 'exit status: 3',
      exit_code: 3,
      failed: true,
    });
  });

  it('says that an MCP tool failed although its status is success', () => {
    const output = [
      { kind: 'json', data: { content: [{ type: 'text', text: 'no wiping' }], isError: true } },
    ];
    const rows = parse([answer('a1', call('t1', 'wipe')), results(result('t1', output))]);

    assert.equal(rows[1]?.text, 'no wiping');
    assert.equal(rows[1]?.attributes?.['failed'], true);
  });

  it('shows sequences that would act on a terminal', () => {
    const rows = parse([answer('a1', call('t1')), results(result('t1', '\u001b[31mred'))]);

    assert.equal(rows[1]?.text, '\u241b[31mred');
  });

  it('keeps the purpose of a call beside its arguments', () => {
    const [row] = parse([
      answer('a1', call('t1', 'shell', { command: 'ls', __tool_use_purpose: 'to look' })),
    ]);

    assert.equal(row?.text, '{"command":"ls"}');
    assert.deepEqual(row?.attributes, { purpose: 'to look' });
  });

  it('leaves a placeholder for an image, beside the words of its prompt', () => {
    const image = { kind: 'image', data: { format: 'png', source: { kind: 'bytes', data: [1, 2, 3] } } };
    const words = { kind: 'text', data: 'look' };
    const rows = parse([
      prompt('', 1_790_841_600, { content: [words, image] }),
      prompt('', 1_790_841_601, { content: [image] }),
    ]);

    assert.deepEqual(
      rows.map(({ text, attributes }) => [text, attributes?.['attachments']]),
      [
        ['look', '[image png, 3 bytes]'],
        ['[image png, 3 bytes]', '[image png, 3 bytes]'],
      ],
    );
  });

  it('tells what a hook added to a prompt', () => {
    const meta = { timestamp: 1_790_841_600, additionalContext: 'from a hook' };
    const rows = parse([prompt('hello', 0, { meta })]);

    assert.deepEqual(said(rows), ['user: hello', 'session.hook_context: from a hook']);
  });

  it('tells the summary of a compaction and not the messages that it repeats', () => {
    const compaction = { summary: 'All done.', strategy: {}, messages_snapshot: [{ id: 'a1' }] };
    const rows = parse([record('Compaction', compaction)]);

    assert.deepEqual(said(rows), ['session.compressed: All done.']);
    assert.equal(rows[0]?.attributes?.['kept_messages'], 1);
  });

  it('takes nothing back when the log is cleared, reset or holds a kind it does not know', () => {
    const rows = parse([
      prompt('one'),
      { version: 'v1', kind: 'Clear' },
      { version: 'v1', kind: 'Clear' },
      record('CancelledPrompt', null),
      record('ResetTo', { target_index: 2 }),
      record('FutureKind', { x: 1 }),
    ]);

    assert.deepEqual(said(rows), [
      'user: one',
      'session.history_replaced: session cleared',
      'session.history_replaced: session cleared',
      'session.rewound: prompt cancelled',
      'session.rewound: session rewound to message 2',
      'session.other: record of an unknown kind: FutureKind',
    ]);
    assert.equal(new Set(rows.map(idOf)).size, rows.length);
  });

  it('tells each of two equal prompts of one second', () => {
    const rows = ['u1', 'u2'].map((message_id) => prompt('again', 1_790_841_600, { message_id }));

    assert.equal(new Set(parse(rows).map(idOf)).size, 2);
  });

  it('gives the same ids for records that are written again, and others for blocks that say the same', () => {
    const turn = [
      prompt('go'),
      answer('a1', 'Same.', 'Same.', call('t1'), call('t1')),
      results(result('t1', 'one')),
    ];
    const once = parse(turn).map(idOf);

    assert.equal(new Set(once).size, 6);
    assert.deepEqual(new Set(parse([...turn, ...turn, ...turn.slice(2)]).map(idOf)), new Set(once));
  });

  it('reads a log that was saved as UTF-16', () => {
    const text = `${JSON.stringify(prompt('grüße'))}\r\n${JSON.stringify(answer('a1', 'hallo'))}\r\n`;
    const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

    for (const bytes of [little, Buffer.from(little).swap16()]) {
      const rows: string[] = [];
      const parser = logSpec().open(fakeContext(LOG_PATH));
      let start = 0;
      for (let line = 1, end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start), line++) {
        parser.line(bytes.subarray(start, end), line, (row) => void rows.push(row.text));
        start = end + 1;
      }
      parser.unfinished(bytes.subarray(start), 3, (row) => void rows.push(row.text));

      assert.deepEqual(rows, ['grüße', 'hallo']);
    }
  });

  it('waits for the end of a torn line', () => {
    const rows = parse(`${JSON.stringify(prompt('one'))}\n{"version":"v1","kind":"Pro`);

    assert.deepEqual(said(rows)[0], 'user: one');
    assert.equal(eventRows(rows, 'parser.error')[0]?.attributes?.['reason'], 'cut off');
  });
});
