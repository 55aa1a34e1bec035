import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DraftRow, Emit } from '../../../agent/contract/row.ts';
import { amazonQ } from '../../../parsers/amazon-q/index.ts';
import { kiroCli } from '../../../parsers/kiro-cli/index.ts';
import { parse, specFor, versions } from '../kiro-cli/support.ts';
import { call, idsOf, randomId, said, state, TALK, tell, turn } from '../shared/conversation/support.ts';
import { fakeContext, type HomeRow, parseFile, parseHome } from '../support.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
const HISTORY = '.cli_bash_history';
const SENTENCE = 'Tool use with execute_bash was rejected because the arguments supplied were forbidden';

const amazon = (name: string) => parseHome(amazonQ, join(FIXTURES, 'amazon-q', name, 'home'));
const kiro = (name: string) => parseHome(kiroCli, join(FIXTURES, 'kiro-cli', name, 'home'));
const ofEvent = <Row extends DraftRow>(rows: readonly Row[], event: string) =>
  rows.filter((row) => row.event === event);
const ofTurn = <Row extends DraftRow>(rows: readonly Row[], turnType: DraftRow['turn_type']) =>
  rows.filter((row) => row.turn_type === turnType);
const decisions = (rows: readonly DraftRow[]) => ofEvent(rows, 'permission.decision');
const inSession = (rows: readonly HomeRow[], end: string) =>
  rows.filter(({ session_id }) => session_id?.endsWith(end));

const cancelled = (prompt: string, ...ids: readonly string[]) => ({
  CancelledToolUses: {
    prompt,
    tool_use_results: ids.map((id) => ({
      tool_use_id: id,
      content: [{ Text: 'Tool use was cancelled by the user' }],
      status: 'Error',
    })),
  },
});

/** Rows of one state after the other in the same record, each with what was kept of the one before. */
function inTurn(...texts: readonly string[]): (readonly DraftRow[])[] {
  let memory: string | undefined;
  return texts.map((text) => {
    const told = tell(text, memory);
    memory = told.memory;
    return told.rows;
  });
}

/** The reference's edge cases of the conversation databases and of typed lines, by its numbers. */
describe('parsers/kiro edge cases, databases', () => {
  it('1: a record replaced by a new conversation gives the rows of the new one, and takes nothing back', () => {
    const [before, after] = [amazon('row-replaced-before'), amazon('row-replaced-after')];

    assert.deepEqual(said(after), [
      'model.set: model: claude-sonnet-4',
      'user: a brand new chat',
      'assistant: Hello.',
    ]);
    assert.equal(new Set([...before, ...after].map(({ row_id }) => row_id)).size, before.length + 3);
    const [, warm = []] = inTurn(
      state([turn(1, 'mine')]),
      state([turn(2, 'x')], { conversation_id: randomId(98) }),
    );
    assert.deepEqual(ofEvent(warm, 'session.deleted'), []);
  });

  it("2: a record that alternates between two conversations gives each one's entries once", () => {
    const a = [turn(1, 'a one')];
    const b = state([turn(2, 'b one')], { conversation_id: randomId(98) });

    const told = inTurn(state(a), b, state([...a, turn(3, 'a two')]), b);

    const words = told.flat().filter(({ turn_type }) => turn_type === 'user');
    assert.equal(idsOf(words).size, 3);
    assert.deepEqual(said(told[2]?.filter(({ text }) => text.startsWith('history shrunk')) ?? []), []);
  });

  it('3: a deny rule on one of two parallel calls gives two cancelled results and one decision with both', () => {
    const rows = amazon('samples');
    const results = ofTurn(rows, 'tool_result').filter(({ tool_use_id }) => /a[23]$/.test(tool_use_id ?? ''));
    const [decision, ...more] = decisions(rows).filter(
      ({ attributes }) => attributes?.['by'] === 'deny-rule',
    );

    assert.deepEqual(
      results.map(({ tool_use_id, text }) => [tool_use_id, text]),
      [
        ['tooluse_a2', '[cancelled] Tool use was cancelled by the user'],
        ['tooluse_a3', '[cancelled] Tool use was cancelled by the user'],
      ],
    );
    assert.deepEqual(more, []);
    assert.deepEqual(
      [decision?.text, decision?.tool_name, decision?.tool_use_id, decision?.timestamp_utc],
      [
        'permission decision: denied by=deny-rule tool=execute_bash',
        'execute_bash',
        null,
        '2026-04-28T09:01:02.123Z',
      ],
    );
    assert.equal(decision?.attributes?.['candidates'], 'tooluse_a2,tooluse_a3');
  });

  it('4: the sentence typed by a user gives the same row, and one that corrects it once the history shows it', () => {
    const { rows } = tell(state([turn(1, 'run', { calls: [call('a')] }), turn(2, cancelled(SENTENCE, 'a'))]));
    const [correction, ...more] = parse(`${SENTENCE}\n`, HISTORY);

    assert.deepEqual(
      decisions(rows).map(({ attributes }) => [attributes?.['by'], attributes?.['confidence']]),
      [['deny-rule', 'text_match']],
    );
    assert.deepEqual(more, []);
    assert.deepEqual(
      [
        correction?.event,
        correction?.tool_name,
        correction?.attributes?.['by'],
        correction?.attributes?.['corrects'],
      ],
      ['permission.decision', 'execute_bash', 'user-text', 'deny-rule'],
    );
  });

  it('5: the same sentence in a prompt is a prompt', () => {
    assert.deepEqual(said(tell(state([turn(1, SENTENCE)])).rows).slice(1), [
      `user: ${SENTENCE}`,
      'assistant: answer 1',
    ]);
  });

  it('6: the sentence of Kiro, with an address and its patterns, names the tool and the patterns', () => {
    const text =
      'Tool use with web_fetch was rejected (URL: https://example.com/a b) because the arguments supplied were forbidden. Blocked patterns:\n  - example\\.com, .*\n  - /etc/**\n  - /etc/**';
    const { rows } = tell(
      state([turn(1, 'get', { calls: [call('a', 'web_fetch')] }), turn(2, cancelled(text, 'a'))]),
    );

    assert.deepEqual(
      decisions(rows).map((row) => [row.text, row.tool_use_id, row.attributes?.['patterns']]),
      [['permission decision: denied by=deny-rule tool=web_fetch', 'a', 'example\\.com, .*\n/etc/**']],
    );
    const [sample] = decisions(kiro('v1-samples'));
    assert.equal(sample?.attributes?.['patterns'], '\\Arm -rf .*\\z');
  });

  it('7: a question that nobody could answer is no hit of a rule', () => {
    const found = decisions(kiro('v1-samples')).filter(({ attributes }) => attributes?.['by'] === 'headless');

    assert.deepEqual(
      found.map(({ text, attributes }) => [text, attributes?.['decision']]),
      [['permission decision: denied by=headless tool=fs_write', 'not_approved']],
    );
  });

  it('8: a result without a time has that of the request beside it', () => {
    const [result] = ofTurn(amazon('samples'), 'tool_result');

    assert.deepEqual(
      [result?.tool_use_id, result?.timestamp_utc, result?.timestamp_source],
      ['tooluse_a1', '2026-04-28T09:00:02.100Z', 'derived'],
    );
  });

  it('9: an answer without metadata has the time of what it answers, else of the row before', () => {
    const bare = (text: string) => ({ Response: { message_id: null, content: text } });
    const mcp = {
      user: { content: { Prompt: { prompt: 'from a server' } }, timestamp: null },
      request_metadata: null,
    };
    const { rows } = tell(
      state([
        turn(1, 'go'),
        { ...turn(2, 'stop'), assistant: bare('Interrupted.'), request_metadata: null },
        { ...mcp, assistant: bare('Server words.') },
      ]),
    );
    const timeOf = (text: string) => {
      const row = rows.find((found) => found.text === text);
      return [row?.timestamp_utc, row?.timestamp_source, row?.attributes?.['synthetic'] === true];
    };

    assert.deepEqual(timeOf('Interrupted.'), ['2026-10-01T09:02:00.123Z', 'derived', true]);
    assert.deepEqual(timeOf('from a server'), ['2026-10-01T09:02:00.123Z', 'derived', true]);
    assert.deepEqual(timeOf('Server words.'), ['2026-10-01T09:02:00.123Z', 'derived', true]);
  });

  it('10: folded output gives no prompt, and a result only where nobody has it', () => {
    const rows = amazon('after-compact-front-folded');
    const folded = rows.filter(({ attributes }) => attributes?.['folded'] === true);

    assert.deepEqual(
      ofTurn(rows, 'user').map(({ text }) => text),
      ['now remove the build folder and show git status'],
    );
    assert.deepEqual(
      folded.map(({ turn_type, tool_use_id, timestamp_source }) => [
        turn_type,
        tool_use_id,
        timestamp_source,
      ]),
      [['tool_result', null, 'derived']],
    );
    const shipped = amazon('samples').flatMap(({ claims = [] }) => claims);
    assert.ok(shipped.includes(folded[0]?.copyOf ?? ''));
  });

  it('11: a summary that stays in every later state is told once for each message id', () => {
    const summary = (number: number) => [`summary ${number}`, { message_id: randomId(90 + number) }];
    const at = (number: number, history: Parameters<typeof state>[0]) =>
      state(history, { latest_summary: summary(number) });

    const told = inTurn(
      at(1, [turn(1, 'a')]),
      at(1, [turn(1, 'a'), turn(2, 'b')]),
      at(2, [turn(2, 'b')]),
    ).flat();

    assert.equal(idsOf(ofEvent(told, 'session.compressed')).size, 2);
  });

  it('12: a history that became shorter gives one row with the counts, and no deletion', () => {
    const [, shorter = []] = inTurn(state([turn(1, 'a'), turn(2, 'b'), turn(3, 'c')]), state([turn(1, 'a')]));
    const [row, ...more] = ofEvent(shorter, 'session.history_replaced');

    assert.deepEqual(more, []);
    assert.deepEqual(
      [row?.text, row?.attributes?.['kind'], row?.attributes?.['old_entries'], row?.attributes?.['entries']],
      ['history shrunk: 3 -> 1 entries', 'history_shrunk', 3, 1],
    );
    assert.deepEqual(ofEvent(shorter, 'session.deleted'), []);
  });

  it('13: a side talk gives main entries once and side entries marked; leaving it shrinks the history', () => {
    const rows = amazon('tangent-mode');
    const [main, side] = [[turn(1, 'main')], [turn(1, 'main'), turn(2, 'side'), turn(3, 'side two')]];
    const during = state(side, {
      tangent_state: { main_history: main, tangent_start_time: [2026, 274, 9, 0, 0, 0, 0, 0, 0] },
    });

    assert.deepEqual(
      ofTurn(rows, 'user').map(({ text, attributes }) => [text, attributes?.['tangent'] === true]),
      [
        ['list the files here', false],
        ['side question: what is WAL?', true],
      ],
    );
    const [told = [], after = []] = inTurn(during, state([turn(1, 'main')]));
    assert.deepEqual(said(ofEvent(told, 'session.checkpoint')), []);
    assert.equal(ofTurn(told, 'user').length, 3);
    assert.ok(said(after).includes('session.history_replaced: history shrunk: 3 -> 1 entries'));
  });

  it('13: main entries that only the copy beside a side talk has are recovered, at its beginning', () => {
    const held = (start: unknown) =>
      tell(
        state([turn(9, 'side')], {
          tangent_state: { main_history: [turn(1, 'main')], tangent_start_time: start },
        }),
      ).rows;
    const [row] = ofEvent(held([2026, 334, 20, 37, 35, 213_239_274, 0, 0, 0]), 'session.checkpoint');
    const [untold] = ofEvent(held('who knows'), 'session.checkpoint');

    assert.equal(row?.text, 'tangent mode: main conversation held aside, recovered=1 entries');
    assert.deepEqual([row?.timestamp_utc, row?.timestamp_source], ['2026-11-30T20:37:35.213Z', 'record']);
    assert.deepEqual(
      [untold?.timestamp_utc, untold?.timestamp_source],
      ['2026-10-01T09:02:02.000Z', 'derived'],
    );
  });

  it('14: entries that only a checkpoint has after a clear are recovered, once', () => {
    const rows = amazon('checkpoints-after-clear');
    const recovered = rows.filter((row) => row.recovered === true && row.turn_type !== 'system');

    assert.deepEqual(
      recovered.map(({ turn_type }) => turn_type),
      ['user', 'assistant', 'tool_use', 'tool_result', 'assistant'],
    );
    assert.deepEqual(said(ofEvent(rows, 'session.checkpoint')), [
      'session.checkpoint: checkpoint snapshot: tag=1 recovered=2 entries: list the files here',
    ]);
    const snapshot = (tag: string) => ({
      tag,
      timestamp: null,
      description: 'x',
      history_snapshot: [turn(1, 'a')],
    });
    const twice = tell(
      state([], { checkpoint_manager: { checkpoints: [snapshot('1'), snapshot('2')] } }),
    ).rows;
    assert.equal(ofTurn(twice, 'user').length, 1);
  });

  it('15: a tool renamed to dummy keeps the name and the arguments that the model gave', () => {
    const [use] = ofTurn(amazon('tool-renamed-to-dummy'), 'tool_use');

    assert.deepEqual([use?.tool_name, use?.text], ['mcp_git___status', '{"path":"."}']);
  });

  it('16: the prompt that a resume sends is marked: nobody typed it', () => {
    const { rows } = tell(state([turn(1, 'In a few words, summarize our conversation so far.')]));

    assert.deepEqual(
      ofTurn(rows, 'user').map(({ attributes }) => [
        attributes?.['synthetic'],
        attributes?.['synthetic_kind'],
      ]),
      [[true, 'resume']],
    );
  });

  it("17: a delegate's summary has its own session, is marked, and says nothing of a gap in the user's", () => {
    const rows = amazon('row-clobbered-by-delegate-summary');
    const [prompt] = ofTurn(rows, 'user');
    const mine = [turn(1, 'mine'), turn(2, 'more')];

    assert.equal(prompt?.attributes?.['synthetic_kind'], 'delegate_summary');
    assert.equal(prompt?.session_id?.slice(0, 8), '33333333');
    const back = inTurn(
      state(mine),
      state([turn(5, 'Summarize what happened in this task execution')], { conversation_id: randomId(97) }),
      state([...mine, turn(7, 'go on')]),
    );
    assert.deepEqual(
      back.flat().filter(({ attributes }) => attributes?.['kind'] === 'history_shrunk'),
      [],
    );
  });

  it('18: a history whose first entries are gone gives only the new ones, trust at the time of the file', () => {
    const old = Array.from({ length: 100 }, (_, number) => `prompt ${number}`);
    const told = versions(HISTORY, [
      `#V2\n${old.join('\n')}\n`,
      `#V2\n${[...old.slice(2), 'newest', '/tools trust-all'].join('\n')}\n`,
    ])[1];

    assert.deepEqual(said(told ?? []), [
      'user: newest',
      'permission.mode: permission mode: trust-all (typed /tools trust-all)',
    ]);
    assert.deepEqual(
      told?.map(({ timestamp_source, attributes }) => [timestamp_source, attributes?.['trust_all'] === true]),
      [
        ['file', false],
        ['file', true],
      ],
    );
  });

  it('19: an escape that no program writes stays as it is, and a line that is no text is an error row', () => {
    const bytes = Buffer.concat([Buffer.from('#V2\nbroken \\q escape\ncaf'), Buffer.from([0xff, 0x0a])]);

    assert.deepEqual(said(parseFile(specFor(HISTORY), bytes, fakeContext(HISTORY))), [
      'user: broken \\q escape',
      'parser.error: parser: unparseable line (not valid UTF-8): caf\ufffd',
    ]);
  });

  it('20: one conversation under two directories gives its entries once, and a row that names both', () => {
    const rows = inSession(kiro('v1-samples'), '0001');

    assert.deepEqual(
      ofTurn(rows, 'user').map(({ text, project_path }) => [text, project_path]),
      [
        ['summarise README', '/home/alice/proj'],
        ['delete the cache directory', '/home/alice/proj'],
      ],
    );
    assert.deepEqual(
      ofEvent(rows, 'session.directories').map(({ text, project_path }) => [text, project_path]),
      [['session directories: /home/alice/proj, /home/alice/proj/sub', '/home/alice/proj/sub']],
    );
  });

  it('21: a fork on compaction gives its summary and a link, and what it took along not again', () => {
    assert.deepEqual(said(inSession(kiro('v1-samples'), '0002')), [
      'session.compressed: ## Summary\nREADME read.',
      'session.origin: session origin: compaction of 5a5a5a5a-0000-4000-8000-000000000001',
    ]);
  });

  it('21: what a fork took along is recovered where the conversation before is gone', () => {
    const summary = [
      'summary',
      { message_id: randomId(90), request_start_timestamp_ms: 1_790_845_260_000 + 180_000 },
    ];
    const rows: DraftRow[] = [];
    const emit: Emit = (row) => void rows.push(row);
    const table = kiroCli.files.flatMap((spec) => (spec.kind === 'database' ? spec.tables : []))[1];
    const value = Buffer.from(state([turn(1, 'before')], { latest_summary: summary }));
    const record = { key: ['/home/alice/proj', TALK], cells: { value }, rowid: 1, memory: undefined };

    table?.parse({ ...record, beside: () => [] }, fakeContext('data.sqlite3'), emit);

    assert.equal(rows.find(({ text }) => text === 'before')?.copyOf !== undefined, true);
    assert.deepEqual(ofEvent(rows, 'session.origin'), []);
  });

  it('22: a record that was copied when the table was new comes once, with the times of its entries', () => {
    const rows = inSession(kiro('v1-samples'), '00ff');

    assert.deepEqual(
      rows.map(({ turn_type, timestamp_utc }) => [turn_type, timestamp_utc]),
      [
        ['system', '2026-04-27T09:00:00.123Z'],
        ['user', '2026-04-27T09:00:00.123Z'],
        ['assistant', '2026-04-27T09:00:02.000Z'],
      ],
    );
  });

  it('23: a value that is not JSON gives one row with its key and id, and stops no other', () => {
    const rows = kiro('v1-samples');

    assert.deepEqual(
      ofEvent(rows, 'parser.error').map(({ session_id, project_path }) => [session_id, project_path]),
      [['broken', '/home/alice/proj']],
    );
    assert.ok(inSession(rows, '0003').length > 0);
  });
});
