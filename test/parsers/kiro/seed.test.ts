import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { amazonQ } from '../../../parsers/amazon-q/index.ts';
import { kiroCli } from '../../../parsers/kiro-cli/index.ts';
import { type HomeRow, parseHome } from '../support.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
const LISTING = '3f2b8c1e-9d7a-4e6b-b1c2-0a9f8e7d6c5b';
const DENIED = '3f2b8c1e-9d7a-4e6b-b1c2-0a9f8e7d6c5c';
const TALK = 'c0de5eed-0000-4000-8000-000000000001';

const amazon = parseHome(amazonQ, join(FIXTURES, 'amazon-q/seed/home'));
const kiro = parseHome(kiroCli, join(FIXTURES, 'kiro-cli/seed/home'));

/** The columns of the seed documents. */
function columns(row: HomeRow) {
  const { timestamp_utc, session_id, project_path, turn_type, model, tool_name, tool_use_id, text } = row;
  return {
    at: timestamp_utc ?? null,
    session: session_id ?? null,
    project: project_path ?? null,
    turn: turn_type,
    model: model ?? null,
    tool: tool_name ?? null,
    call: tool_use_id ?? null,
    text,
  };
}

function inSession(rows: readonly HomeRow[], session: string) {
  return rows.filter(({ session_id }) => session_id === session).map(columns);
}

function textsFrom(rows: readonly HomeRow[], end: string): string[] {
  return rows.filter(({ source_file }) => source_file.endsWith(end)).map(({ text }) => text);
}

/** The seed documents' own fixtures, word for word, and the rows that they describe; where not, docs/formats says so. */
describe('parsers/kiro seed documents', () => {
  it('one conversation of Amazon Q: a prompt, an answer with a call, its result, an answer', () => {
    const own = { session: LISTING, project: '/home/alice/proj', model: null, tool: null, call: null };
    const model = 'claude-sonnet-4';
    const called = { tool: 'execute_bash', call: 'tooluse_abc123' };

    assert.deepEqual(inSession(amazon, LISTING), [
      { ...own, at: '2026-04-23T21:17:15.123Z', turn: 'system', model, text: 'model: claude-sonnet-4' },
      { ...own, at: '2026-04-23T21:17:15.123Z', turn: 'user', text: 'list the files here' },
      {
        ...own,
        at: '2026-04-24T03:17:16.900Z',
        turn: 'assistant',
        model,
        text: 'I will list the directory.',
      },
      {
        ...own,
        ...called,
        at: '2026-04-24T03:17:16.900Z',
        turn: 'tool_use',
        model,
        text: '{"command":"ls -la"}',
      },
      {
        ...own,
        ...called,
        at: '2026-04-24T03:17:17.000Z',
        turn: 'tool_result',
        text: 'total 8\nREADME.md',
      },
      {
        ...own,
        at: '2026-04-24T03:17:18.100Z',
        turn: 'assistant',
        model,
        text: 'The directory contains README.md.',
      },
    ]);
  });

  it('a bare n: a cancelled result, and behind it the decision on that call', () => {
    const [, , call, result, decision] = inSession(amazon, DENIED);
    const at = '2026-04-25T16:00:05.000Z';

    assert.equal(call?.turn, 'tool_use');
    assert.deepEqual(
      [result, decision].map((row) => [row?.turn, row?.at, row?.tool, row?.call, row?.text]),
      [
        ['tool_result', at, 'fs_write', 'tooluse_d1', '[cancelled] Tool use was cancelled by the user'],
        ['system', at, 'fs_write', 'tooluse_d1', 'permission decision: denied by=n'],
      ],
    );
  });

  it('a checkpoint that holds nothing more gives nothing', () => {
    assert.deepEqual(
      amazon.filter(({ text }) => text.startsWith('checkpoint')),
      [],
    );
  });

  it('an agent: a row for each grant and for its model, none of them in a session', () => {
    const from = ' (from .aws/amazonq/cli-agents/dev.json, file mtime)';

    assert.deepEqual(
      textsFrom(amazon, 'dev.json'),
      [
        'permission setting: allowedTools=fs_read',
        'permission setting: allowedTools=@git',
        'permission setting: toolsSettings.execute_bash.allowedCommands=git status',
        'permission setting: toolsSettings.execute_bash.deniedCommands=rm -rf .*',
        'permission setting: toolsSettings.execute_bash.autoAllowReadonly=true',
        'permission setting: toolsSettings.fs_write.deniedPaths=/etc',
        'model setting: model=claude-sonnet-4',
      ].map((text) => text + from),
    );
    const rows = amazon.filter(({ source_file }) => source_file.endsWith('dev.json'));
    assert.ok(rows.every((row) => row.session_id == null && row.timestamp_source === 'file'));
  });

  it('a background task: launched with everything trusted, and ended', () => {
    const rows = amazon.filter(({ source_file }) => source_file.endsWith('q_cli_default.json')).map(columns);

    assert.deepEqual(
      rows.map(({ at, project, text }) => [at, project, text]),
      [
        [
          '2026-04-25T16:01:40.000Z',
          '/srv/proj',
          'delegate task launched: agent=q_cli_default pid=4711 trust_all_tools=true: run the tests',
        ],
        [
          '2026-04-25T16:02:40.000Z',
          '/srv/proj',
          'delegate task completed: agent=q_cli_default exit_code=0\nsummary: All tests pass.\noutput: 12 passed',
        ],
      ],
    );
  });

  it('what was typed: a row only for what no conversation holds, and a command is none of the prompts', () => {
    assert.deepEqual(
      amazon
        .filter(({ source_file }) => source_file.endsWith('.cli_bash_history'))
        .map(({ turn_type, text, recovered, session_id }) => [
          turn_type,
          text,
          recovered ?? false,
          session_id ?? null,
        ]),
      [
        ['system', 'slash command: /clear', false, null],
        ['user', 'fix the\nbuild', true, null],
      ],
    );
  });

  it('a token beside the conversation is in no row', () => {
    const sql = readFileSync(
      join(FIXTURES, 'amazon-q/seed/home/.local/share/amazon-q/data.sqlite3.sql'),
      'utf8',
    );

    assert.match(sql, /REDACT-ME/);
    assert.ok(amazon.length > 20);
    assert.doesNotMatch(JSON.stringify(amazon), /REDACT-ME/);
  });

  it('a session of Kiro CLI in three files: the conversation, its state, and the process that had it', () => {
    assert.deepEqual(
      inSession(kiro, TALK).map(({ turn, text }) => `${turn}: ${text}`),
      [
        'system: session start: 2026-04-14T08:00:55.000Z',
        `system: session migrated: database conversation ${TALK} -> session files`,
        'system: permission setting: trusted_tools=fsWrite (session state)',
        'system: permission setting: allowed_commands=git status (session state)',
        'system: permission setting: filesystem.allowed_write_paths=/home/alice/notes (session state)',
        'system: agent: kiro_default',
        'user: list the open issues',
        'assistant: Looking.',
        'tool_use: {"command":"gh issue list"}',
        'tool_result: no issues',
        'assistant: There are none.',
        'system: record of an unknown kind: ToolUse',
        `system: session process: pid 12345 since 2026-04-16T06:05:52Z (from .kiro/sessions/cli/${TALK}.lock, file mtime)`,
        'system: model: auto',
      ],
    );
  });

  it('an empty session of files beside a full one of the database takes nothing from it', () => {
    const rows = inSession(kiro, 'c0de5eed-0000-4000-8000-000000000002');

    assert.deepEqual(
      rows.map(({ turn, text }) => `${turn}: ${text}`),
      ['system: earlier talk', 'system: model: auto', 'user: hello', 'assistant: Hi.'],
    );
  });

  it('rows keep the absolute path of the directory that both stores name', () => {
    assert.deepEqual(
      [...new Set(kiro.flatMap(({ project_path }) => project_path ?? []))],
      ['/home/alice/my-project'],
    );
  });
});
