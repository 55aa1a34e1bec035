import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DraftRow } from '../../../agent/contract/row.ts';
import { kiroCli } from '../../../parsers/kiro-cli/index.ts';
import { causesOfDeletion } from '../../../parsers/kiro-cli/lifecycle.ts';
import { deleted } from '../../support/deleted.ts';
import {
  answer,
  builtIn,
  call,
  eventRows,
  HEADER_PATH,
  header,
  idOf,
  LOG_PATH,
  logSpec,
  parse,
  prompt,
  record,
  result,
  results,
  SESSION_ID,
  said,
  versions,
} from '../kiro-cli/support.ts';
import * as v1 from '../shared/conversation/support.ts';
import { fakeContext, parseHome } from '../support.ts';

const SAMPLES = parseHome(kiroCli, join(import.meta.dirname, '../../../fixtures/kiro-cli/v2-samples/home'));
const SAMPLE = '6b6b6b6b-0000-4000-8000-00000000000';
const inSample = (number: number) => SAMPLES.filter(({ session_id }) => session_id === `${SAMPLE}${number}`);
const ofCall = (id: string) => SAMPLES.filter(({ tool_use_id }) => tool_use_id === id);
const kinds = (rows: readonly DraftRow[]) => rows.map(({ turn_type, event }) => event ?? turn_type);
const grants = (rows: readonly DraftRow[] = []) => eventRows(rows, 'permission.setting');

const TOOLS = [
  'fsRead',
  'fsWrite',
  'executeCmd',
  'grep',
  'glob',
  'useAws',
  'webFetch',
  'webSearch',
  'code',
  'task',
  'agentCrew',
  'introspect',
];

/** The reference's edge cases of the second engine's session files, by its numbers. */
describe('parsers/kiro edge cases, session files', () => {
  it('24: a conversation of the database that was exported to files gives nothing new but the link', () => {
    const sentence =
      'Tool use with shell was rejected because the arguments supplied were forbidden. Blocked patterns:\n  - rm .*';
    const text = 'Tool use was cancelled by the user';
    const abandoned = [{ tool_use_id: 't1', content: [{ Text: text }], status: 'Error' }];
    const stored = v1.state(
      [
        v1.turn(1, 'wipe it', { text: 'Wiping.', calls: [v1.call('t1', 'shell')] }),
        v1.turn(
          2,
          { CancelledToolUses: { prompt: sentence, tool_use_results: abandoned } },
          { text: 'Blocked.' },
        ),
      ],
      { conversation_id: SESSION_ID },
    );
    const second = Math.trunc(Date.parse('2026-10-01T09:01:00Z') / 1000);
    const exported = parse([
      prompt('wipe it', second, { message_id: 'made anew' }),
      answer(v1.randomId(1), 'Wiping.', call('t1', 'shell')),
      results(result('t1', text, 'error'), { kind: 'text', data: sentence }),
      answer(v1.randomId(2), 'Blocked.'),
    ]);
    const [told = []] = versions(HEADER_PATH, [header({ top: { exported_from_v1: true } })]);

    const known = new Set(v1.tell(stored, undefined, true).rows.map(idOf));
    assert.deepEqual(
      exported.filter((row) => !known.has(idOf(row))),
      [],
    );
    assert.equal(exported.length, 6);
    assert.deepEqual(kinds(told), ['session.start', 'session.migrated']);
    const users = inSample(2).filter(({ turn_type }) => turn_type === 'user');
    assert.deepEqual(said(users), ['user: delete the cache directory']);
  });

  it('25: only the denied call of two has a result and a decision', () => {
    assert.deepEqual(kinds(ofCall('tooluse_2')), ['tool_use', 'tool_result', 'permission.decision']);
    assert.equal(ofCall('tooluse_2').at(-1)?.text, 'permission decision: denied by=deny-rule tool=shell');
    assert.deepEqual(kinds(ofCall('tooluse_3')), ['tool_use']);
  });

  it('26: of a mixed approval one is denied by the user, the other not executed', () => {
    assert.deepEqual(said(eventRows(ofCall('tooluse_4'), 'permission.decision')), [
      'permission.decision: permission decision: denied by=user',
    ]);
    assert.deepEqual(kinds(ofCall('tooluse_5')), ['tool_use', 'tool_result']);
    assert.equal(ofCall('tooluse_5').at(-1)?.attributes?.['not_executed'], true);
  });

  it('27: results come in the order of the content, not of the map beside it', () => {
    const given = results(result('t2', 'two'), result('t1', 'one'));
    const outcome = { tool: null, result: { Success: { items: [] } } };
    const data = { ...(given['data'] as object), results: { t1: outcome, t2: outcome } };

    const rows = parse([answer('a1', call('t1'), call('t2')), { ...given, data }]);

    assert.deepEqual(
      rows.filter(({ turn_type }) => turn_type === 'tool_result').map(({ tool_use_id }) => tool_use_id),
      ['t2', 't1'],
    );
  });

  it('28: a compaction gives its summary, and the messages of its snapshot not again', () => {
    const rows = inSample(1);

    assert.deepEqual(
      eventRows(rows, 'session.compressed').map(({ text }) => text),
      ['## Summary\nStatus checked; push denied.\n\n## FACTUAL RECORD\n\n- shell: git status'],
    );
    for (const text of ['try the guarded tool', 'A hook stopped it.'])
      assert.equal(rows.filter((row) => row.text === text && row.turn_type !== 'system').length, 1, text);
  });

  it('29: a clear is a row; the session goes on and keeps what came before', () => {
    const turn = {
      loop_id: { rand: 1 },
      end_reason: 'Error',
      message_ids: ['x'],
      end_timestamp: '2026-10-01T08:01:00Z',
    };
    const rows = parse([
      prompt('one'),
      answer('a1', 'One.'),
      { version: 'v1', kind: 'Clear' },
      prompt('two', 1_790_841_700),
    ]);
    const told = versions(HEADER_PATH, [
      header({ turns: [turn, { ...turn, loop_id: { rand: 2 } }] }),
      header({ turns: [{ ...turn, loop_id: { rand: 3 } }] }),
    ]);

    assert.deepEqual(said(rows), [
      'user: one',
      'assistant: One.',
      'session.history_replaced: session cleared',
      'user: two',
    ]);
    const ids = told
      .flat()
      .filter(({ event }) => event === 'session.turn')
      .map(idOf);
    assert.equal(new Set(ids).size, 3);
  });

  it('30: a cancelled prompt, a reset and an unknown kind are system rows that take nothing back', () => {
    const rows = parse([
      prompt('one'),
      record('CancelledPrompt', null),
      record('ResetTo', { target_index: 2 }),
      record('FutureKind', { x: 1 }),
    ]);

    assert.deepEqual(kinds(rows), ['user', 'session.rewound', 'session.rewound', 'session.other']);
  });

  it('31: a torn last line gives nothing until its end is there, and then one row', () => {
    const rows: DraftRow[] = [];
    const parser = logSpec().open(fakeContext(LOG_PATH));
    const emit = (row: DraftRow) => void rows.push(row);
    parser.line(Buffer.from(JSON.stringify(prompt('one'))), 1, emit);
    assert.deepEqual(said(rows), ['user: one']);

    parser.line(Buffer.from(JSON.stringify(answer('a1', 'Whole now.'))), 2, emit);

    assert.deepEqual(said(rows), ['user: one', 'assistant: Whole now.']);
    assert.ok(
      inSample(1).every(({ turn_type, text }) => turn_type !== 'user' || !text.startsWith('half writ')),
    );
  });

  it('32: tools that are trusted in another order are no event', () => {
    const set = builtIn('fsRead', 'fsWrite', 'grep');
    const told = versions(HEADER_PATH, [header({ trusted: set }), header({ trusted: set.toReversed() })]);

    assert.deepEqual(grants(told[1]), []);
  });

  it('33: from two trusted tools to all of them is one event, which lists them', () => {
    const told = versions(HEADER_PATH, [
      header({ trusted: builtIn('fsRead', 'grep') }),
      header({ trusted: builtIn(...TOOLS) }),
    ]);
    const [row, ...more] = grants(told[1]);

    assert.deepEqual(more, []);
    assert.deepEqual(
      [row?.attributes?.['trust_all'], row?.attributes?.['change'], row?.attributes?.['tools']],
      [true, 'added', TOOLS.toSorted().join(',')],
    );
  });

  it("34: the session's directory as the only readable path is no grant", () => {
    assert.deepEqual(grants(versions(HEADER_PATH, [header()])[0]), []);
  });

  it('35: a state of an unknown form says nothing of permissions, and the log is read', () => {
    const strange = (state: unknown) => JSON.stringify({ ...JSON.parse(header()), session_state: state });
    const told = versions(HEADER_PATH, [
      header({ trusted: builtIn('fsWrite') }),
      strange('Unknown'),
      strange({ version: 'v9', permissions: { trusted_tools: [] } }),
      header({ trusted: builtIn('fsWrite') }),
    ]);

    assert.deepEqual(
      told.map((rows) => grants(rows).length),
      [1, 0, 0, 0],
    );
    assert.ok(inSample(3).some(({ turn_type }) => turn_type === 'user'));
  });

  it('36: a temporary header, an empty lock and an empty log give no rows and no error', () => {
    assert.deepEqual(inSample(4), []);
    assert.deepEqual(
      eventRows(SAMPLES, 'parser.error').filter(({ text }) => !text.includes('half writ')),
      [],
    );
    assert.ok(!kiroCli.files.some(({ matches }) => matches(`sessions/cli/${SAMPLE}1.json.tmp`)));
  });

  it('37: files of a session that went away are compared with the period in force', () => {
    const gone = (id: string, ageDays: number, days: number | null) =>
      deleted(`sessions/cli/${id}.jsonl`, { ageDays, retention: { days, count: null } });

    assert.deepEqual(
      causesOfDeletion({
        files: [gone('a', 40, 30), gone('b', 3, 30), gone('c', 0, 0), gone('d', 900, null)],
        left: [{ path: 'sessions/cli/e.jsonl', ageDays: 1 }],
      }),
      ['expired', 'user', 'expired', 'user'],
    );
  });

  it('38: images and hidden thoughts leave a placeholder, their bytes nothing', () => {
    const bytes = Array.from({ length: 90 }, (_, index) => index);
    const image = { kind: 'image', data: { format: 'png', source: { kind: 'bytes', data: bytes } } };
    const hidden = { kind: 'thinking', data: { text: null, redactedContent: bytes } };
    const stored = v1.turn(
      1,
      { Prompt: { prompt: '' } },
      { user: { images: [{ format: 'Png', source: { Bytes: bytes } }, { format: 'Gif' }] } },
    );

    const rows = parse([
      prompt('', 1_790_841_600, { content: [image] }),
      answer('a1', hidden, call('t1')),
      results(result('t1', [image])),
    ]);

    assert.deepEqual(said(rows), [
      'user: [image png, 90 bytes]',
      'thinking: [redacted, 90 bytes]',
      'tool_use: {"command":"ls"}',
      'tool_result: [image png, 90 bytes]',
    ]);
    assert.equal(JSON.stringify(rows).includes('41,42,43'), false);
    assert.ok(v1.said(v1.tell(v1.state([stored])).rows).includes('user: [image png, 90 bytes] [image gif]'));
  });
});
