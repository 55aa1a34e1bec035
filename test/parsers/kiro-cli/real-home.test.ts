import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kiroCli } from '../../../parsers/kiro-cli/index.ts';
import { parseHome } from '../support.ts';
import { eventRows, HEADER_PATH, idOf, versions } from './support.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/kiro-cli');

interface SavedHeader {
  readonly scene: string;
  readonly header: object;
}

/** Every header that the program saved in some scenes, in order. */
const SAVED = readFileSync(join(FIXTURES, 'recorded/headers.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as SavedHeader);

/** What the changes of the permissions gave in a scene, one list for each save that gave something. */
function told(scene: string): string[][] {
  const texts = SAVED.filter((saved) => saved.scene === scene).map(({ header }) => JSON.stringify(header));
  return versions(HEADER_PATH, texts)
    .map((rows) => eventRows(rows, 'permission.setting').map(({ text }) => text))
    .filter((rows) => rows.length > 0);
}

const set = (entry: string) => `permission setting: ${entry} (session state)`;
const removed = (entry: string) => `permission setting removed: ${entry} (session state)`;

describe('parsers/kiro-cli, on what the program saved', () => {
  const rows = parseHome(kiroCli, join(FIXTURES, 'real-home/home'));
  const byCall = (id: string) => rows.filter((row) => row.tool_use_id === id);
  const turnsOf = (session: string) =>
    eventRows(rows, 'session.turn').filter(({ session_id }) => session_id?.startsWith(session));

  it('gives each call its result, but for those that nobody ran', () => {
    const uses = rows.filter(({ turn_type }) => turn_type === 'tool_use').map((row) => row.tool_use_id);
    const ended = new Set(
      rows.filter(({ turn_type }) => turn_type === 'tool_result').map((row) => row.tool_use_id),
    );

    assert.ok(uses.length > 50, `${uses.length} calls`);
    assert.equal(new Set(uses).size, uses.length);
    assert.deepEqual(
      uses.filter((id) => !ended.has(id)),
      ['tooluse_54gQPuFTGPzSr5tztOu7Mw'],
    );
  });

  it('has one event for each call that a rule denied, and none where everything was trusted', () => {
    const denied = rows.filter(({ attributes }) => attributes?.['by'] === 'deny-rule');

    assert.deepEqual(
      denied.map((row) => [row.text, row.tool_use_id, row.attributes?.['candidates']]),
      [
        [
          'permission decision: denied by=deny-rule tool=shell',
          'tooluse_i1NjnxUsj8bvMIAv3kYroA',
          'tooluse_i1NjnxUsj8bvMIAv3kYroA,tooluse_54gQPuFTGPzSr5tztOu7Mw',
        ],
        ['permission decision: denied by=deny-rule tool=read', 'tooluse_9FGmF0nGEboPoOFsYYMdtA', undefined],
        ['permission decision: denied by=deny-rule tool=write', 'tooluse_rzJ6ZHhTckbg2fDFiZhtXw', undefined],
      ],
    );
  });

  for (const id of [
    'tooluse_hUeOl4pEExHeTQfwuTucoQ',
    'tooluse_NXhJDQ7rD0Dib5piIySM5g',
    'tooluse_CQyLk7OYZpqWop75IYCqWw',
    'tooluse_ovGmijz3urFCRbo05qNItg',
    'tooluse_KcGyiedSIZWzYuRPVOBUcA',
  ])
    it(`says that ${id} failed, although its stored status is success`, () => {
      const result = byCall(id).find(({ turn_type }) => turn_type === 'tool_result');

      assert.equal(result?.attributes?.['status'], 'success');
      assert.equal(result?.attributes?.['failed'], true);
    });

  it('has an event for each turn whose prompt never reached the log, with how it ended and when', () => {
    assert.deepEqual(
      [...turnsOf('9bcfa8aa'), ...turnsOf('f61c6810')].map(({ text, timestamp_utc }) => [
        text.slice(0, 60),
        timestamp_utc,
      ]),
      [
        ['turn ended: Cancelled, its prompt is not in the log: interru', '2026-11-30T20:53:09.911Z'],
        ['turn ended: ToolUseRejected', '2026-11-30T20:53:11.918Z'],
        ['turn ended: Error, its prompt is not in the log: An unexpect', '2026-11-30T20:53:46.041Z'],
        ['turn ended: Error, its prompt is not in the log: throttling', '2026-11-30T20:53:46.045Z'],
      ],
    );
  });

  it('shows the process that was killed as the one that still has its session open', () => {
    assert.deepEqual(
      eventRows(rows, 'session.process').map(({ session_id, text }) => [session_id, text.slice(0, 26)]),
      [['db06624e-9c6b-4321-a9ea-713f9def7c65', 'session process: pid 9206 ']],
    );
  });

  it('has one row for each summary', () => {
    assert.deepEqual(
      eventRows(rows, 'session.compressed').map(({ text }) => text),
      ['## SUMMARY\nThe user asked three things.'],
    );
  });

  it('has the typed command that trusts everything, read from the history', () => {
    const [typed, ...more] = rows.filter(({ text }) => text.includes('/tools trust-all'));

    assert.deepEqual(more, []);
    assert.deepEqual(
      [typed?.event, typed?.attributes?.['trust_all'], typed?.attributes?.['source']],
      ['permission.mode', true, 'history'],
    );
  });

  it('has no prompt of the history twice', () => {
    const texts = rows.filter(({ turn_type }) => turn_type === 'user').map(({ text }) => text);

    assert.equal(rows.filter(({ recovered }) => recovered).length, 0);
    assert.equal(texts.filter((text) => text.startsWith('First line\nsecond line')).length, 1);
  });

  it('tells what hooks added and stopped', () => {
    assert.ok(eventRows(rows, 'session.hook_context').some(({ text }) => text.includes('context from hook')));
    assert.equal(rows.filter(({ attributes }) => attributes?.['by'] === 'hook').length, 1);
  });

  it('leaves nothing unread, and gives no id twice', () => {
    assert.deepEqual(eventRows(rows, 'parser.error'), []);
    assert.equal(new Set(rows.map(idOf)).size, rows.length);
  });

  describe('permissions, save by save', () => {
    it('tells tools that were always allowed', () => {
      assert.deepEqual(told('always'), [[set('trusted_tools=executeCmd')], [set('trusted_tools=fsWrite')]]);
    });

    it('tells a command with any arguments, a tool of a server, and nothing for a load elsewhere', () => {
      assert.deepEqual(told('always-args'), [[set('allowed_commands=git( .*)?')]]);
      assert.deepEqual(told('mcp'), [[set('trusted_tools=@stock/wipe')]]);
      assert.deepEqual(told('resume'), []);
    });

    it('tells trust, trust-all, untrust and reset', () => {
      const [trust, all, untrust, reset = [], ...more] = told('trust');

      assert.deepEqual([trust, all, more], [[set('trusted_tools=fsWrite')], [set('trusted_tools=*')], []]);
      assert.deepEqual(untrust, [removed('trusted_tools=*'), removed('trusted_tools=executeCmd')]);
      assert.equal(reset.length, 11);
    });

    it('tells the very command, and trust-all that was typed', () => {
      assert.deepEqual(told('tui'), [[set('allowed_commands=touch four')], [set('trusted_tools=*')]]);
    });
  });
});
