import assert from 'node:assert/strict';
import type { DraftRow } from '../../../../agent/contract/row.ts';
import { fakeContext } from '../../support.ts';
import { builtIn, CWD, eventRows, HEADER_PATH, header, idOf, said, specFor, versions } from '../support.ts';

const ALL = builtIn(
  'webSearch',
  'code',
  'webFetch',
  'task',
  'useAws',
  'agentCrew',
  'grep',
  'introspect',
  'glob',
  'fsWrite',
  'executeCmd',
  'fsRead',
);

/** Texts of the permission rows of each version, without what all of them share. */
function permissions(texts: readonly string[]): string[][] {
  return versions(HEADER_PATH, texts).map((rows) =>
    eventRows(rows, 'permission.setting').map(({ text }) =>
      text.replace('permission setting', '').replace(' (session state)', '').replace(/^: /, ''),
    ),
  );
}

describe('parsers/kiro-cli/v2/header', () => {
  it('tells the beginning of a session, and where it was imported from', () => {
    const [rows = []] = versions(HEADER_PATH, [header({ top: { exported_from_v1: true } })]);

    assert.deepEqual(said(rows), [
      'session.start: session start: 2026-10-01T08:00:00.123Z',
      'session.migrated: session migrated: database conversation c0de0001-1111-4000-8000-000000000001 -> session files',
    ]);
    assert.equal(rows[0]?.project_path, CWD);
  });

  it('says nothing of a session in which nothing was said', () => {
    assert.deepEqual(versions(HEADER_PATH, [header({ top: { title: null } })]), [[]]);
  });

  it('tells what was granted and taken back', () => {
    const told = permissions([
      header(),
      header({ trusted: builtIn('fsWrite') }),
      header({ trusted: builtIn('fsWrite'), commands: ['git( .*)?'] }),
      header({ commands: ['git( .*)?'] }),
    ]);

    assert.deepEqual(told, [
      [],
      ['trusted_tools=fsWrite'],
      ['allowed_commands=git( .*)?'],
      [' removed: trusted_tools=fsWrite'],
    ]);
  });

  it('says nothing when the same set comes in another order', () => {
    const [first] = ALL;
    const told = permissions([header({ trusted: ALL }), header({ trusted: [...ALL.slice(1), first] })]);

    assert.deepEqual(told, [['trusted_tools=*'], []]);
  });

  it('gives one trust-all row when every tool is trusted at once, and says which one is taken out', () => {
    const told = versions(HEADER_PATH, [
      header({ trusted: builtIn('fsWrite') }),
      header({ trusted: ALL }),
      header({ trusted: ALL.filter(({ BuiltIn }) => BuiltIn !== 'executeCmd') }),
      header(),
    ]).map((rows) => eventRows(rows, 'permission.setting'));
    const trusted = told.map((rows) => rows.filter(({ attributes }) => attributes?.['trust_all'] === true));

    assert.deepEqual(
      trusted.map((rows) => rows.length),
      [0, 1, 0, 0],
    );
    assert.equal(String(trusted[1]?.[0]?.attributes?.['tools']).split(',').length, 12);
    assert.deepEqual(said(told[2] ?? []), [
      'permission.setting: permission setting removed: trusted_tools=* (session state)',
      'permission.setting: permission setting removed: trusted_tools=executeCmd (session state)',
    ]);
    assert.equal(told[3]?.length, 11);
  });

  it('calls a shell that never asks trust-all', () => {
    const [rows = []] = versions(HEADER_PATH, [header({ trusted: ['execute_bash'] })]);
    const [grant] = eventRows(rows, 'permission.setting');

    assert.equal(grant?.attributes?.['trust_all'], true);
    assert.equal(grant?.session_id, 'c0de0001-1111-4000-8000-000000000001');
    assert.equal(grant?.project_path, CWD);
  });

  it('gives the same id for the same grant, and another when it comes back', () => {
    const granted = header({ trusted: builtIn('fsWrite') });
    const warm = versions(HEADER_PATH, [header(), granted, header(), granted]).map((rows) =>
      eventRows(rows, 'permission.setting').map(idOf),
    );
    const cold = versions(HEADER_PATH, [granted]).map((rows) =>
      eventRows(rows, 'permission.setting').map(idOf),
    );

    assert.deepEqual(warm[1], cold[0]);
    assert.notDeepEqual(warm[3], warm[1]);
  });

  it('does not call the directory of the session a grant, wherever it is loaded', () => {
    const elsewhere = '/home/alice/other';
    const told = permissions([
      header(),
      header({ readable: [CWD, elsewhere], top: { cwd: elsewhere } }),
      header({ readable: [CWD, elsewhere, '/srv/data'], top: { cwd: elsewhere } }),
    ]);

    assert.deepEqual(told, [[], [], ['filesystem.allowed_read_paths=/srv/data']]);
  });

  it('takes nothing back when the state has a form it does not know', () => {
    const told = permissions([
      header({ trusted: builtIn('fsWrite') }),
      header({ state: { version: 'v9', permissions: undefined } }),
      header({ top: { session_state: 'Unknown' } }),
      header({ trusted: builtIn('fsWrite') }),
    ]);

    assert.deepEqual(told.slice(1), [[], [], []]);
  });

  it('names tools of servers and agents', () => {
    const trusted = [
      { Mcp: { server_name: 'stock', tool_name: 'wipe' } },
      { Agent: { agent_name: 'reviewer' } },
      { Future: 1 },
    ];

    assert.deepEqual(permissions([header({ trusted })]), [
      ['trusted_tools=@stock/wipe', 'trusted_tools=agent:reviewer', 'trusted_tools={"Future":1}'],
    ]);
  });

  it('tells grants again under the same id when there is no room to remember them', () => {
    const readable = Array.from({ length: 200 }, (_, n) => `/srv/some/long/path/number/${n}`);
    const [first = [], second = []] = versions(HEADER_PATH, [header({ readable }), header({ readable })]);
    const ids = (rows: readonly DraftRow[]) => eventRows(rows, 'permission.setting').map(idOf);

    assert.equal(ids(first).length, 200);
    assert.deepEqual(ids(second), ids(first));
  });

  it('tells another model and another agent', () => {
    const state = (model: string, agent_name: string) => ({
      rts_model_state: { model_info: { model_id: model } },
      agent_name,
    });
    const told = versions(HEADER_PATH, [
      header({ state: state('auto', 'kiro_default') }),
      header({ state: state('claude-sonnet-4.5', 'guarded') }),
    ]);

    assert.deepEqual(said(told[0] ?? []).slice(1), [
      'model.set: model: auto',
      'session.agent: agent: kiro_default',
    ]);
    assert.deepEqual(said(told[1] ?? []).slice(1), [
      'model.change: model: auto -> claude-sonnet-4.5',
      'session.agent: agent: kiro_default -> guarded',
    ]);
  });

  describe('turns', () => {
    const turn = (end_reason: string, message_ids: readonly unknown[], more = {}) => ({
      loop_id: { rand: 7 },
      end_reason,
      end_timestamp: '2026-10-01T08:04:00.5Z',
      message_ids,
      turn_duration: { secs: 1, nanos: 500_000_000 },
      ...more,
    });
    const turnRows = (...turns: ReturnType<typeof turn>[]) =>
      eventRows(versions(HEADER_PATH, [header({ turns })])[0] ?? [], 'session.turn');

    it('tells how a turn ended whose prompt never reached the log', () => {
      const error = { Err: { Stream: { kind: { kind: 'interrupted' } } } };
      const [row] = turnRows(turn('Cancelled', ['u1', null], { result: error }));

      assert.equal(row?.text, 'turn ended: Cancelled, its prompt is not in the log: interrupted');
      assert.equal(row?.timestamp_utc, '2026-10-01T08:04:00.500Z');
      assert.deepEqual(row?.attributes, {
        end_reason: 'Cancelled',
        prompt_logged: false,
        error: 'interrupted',
        duration_ms: 1500,
      });
    });

    it('tells the message of an error', () => {
      const kind = { kind: 'other', data: { message: 'throttled' } };
      const [row] = turnRows(turn('Error', ['u1', null], { result: { Err: { Stream: { kind } } } }));

      assert.equal(row?.attributes?.['error'], 'throttled');
    });

    it('says nothing of turns that ended with an answer', () => {
      assert.deepEqual(turnRows(turn('UserTurnEnd', ['u1', 'a1'])), []);
    });

    it('tells two turns with the same message ids', () => {
      const rows = turnRows(
        turn('Cancelled', ['u1', 'a1']),
        turn('Cancelled', ['u1', 'a1'], { end_timestamp: '2026-10-01T08:04:09Z' }),
      );

      assert.equal(new Set(rows.map(idOf)).size, 2);
      assert.equal(rows[0]?.attributes?.['prompt_logged'], true);
    });
  });

  it('waits for a header that is cut, and complains only of one that stays so', () => {
    const spec = specFor(HEADER_PATH);
    const cut = { bytes: Buffer.from('{"session_id": "c0'), settled: false };
    const rows: DraftRow[] = [];

    assert.equal(
      spec.kind === 'document' && spec.parse(cut, fakeContext(HEADER_PATH), (row) => rows.push(row)),
      'torn',
    );
    assert.deepEqual(rows, []);
    assert.deepEqual(said(versions(HEADER_PATH, ['{"session_id": "c0'])[0] ?? []), [
      'parser.error: parser: not a session header (not valid JSON): {"session_id": "c0',
    ]);
    assert.deepEqual(versions(HEADER_PATH, ['']), [[]]);
  });
});
