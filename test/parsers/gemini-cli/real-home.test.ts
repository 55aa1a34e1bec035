import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { geminiCli } from '../../../parsers/gemini-cli/index.ts';
import { type HomeRow, parseHome, sourcePaths } from '../support.ts';

const HOME = join(import.meta.dirname, '../../../fixtures/gemini-cli/real-home/home');
const ROOT = join(HOME, '.gemini');

/**
 * What the scripted model said in each scene of the capture, and how many tools it called. The first word of
 * a prompt names its scene, so what must come out is known without reading the session files.
 */
const SCENES: Readonly<
  Record<string, { readonly says: readonly string[]; readonly calls: number; readonly thinks?: number }>
> = {
  plain: { says: ['Hello from the scripted model.'], calls: 0 },
  think: { says: ['I thought about it, then answered.'], calls: 0, thinks: 2 },
  unicode: { says: ['Grüße, 世界 🌍, quote " backslash \\ tab \t line\u2028separator.'], calls: 0 },
  list: { says: ['Listing now.', 'There are two files.'], calls: 1, thinks: 1 },
  read: { says: ['The file prints a greeting.'], calls: 1 },
  write: { says: ['Writing the note.', 'The note is written and extended.'], calls: 2 },
  shell: { says: ['The command exited with code 3.'], calls: 1 },
  multi: { says: ['Reading several things.', 'Three of four worked.'], calls: 5, thinks: 2 },
  sameid: { says: ['Both calls carried the same id.'], calls: 2 },
  bigout: { says: ['That was long.'], calls: 1 },
  deny: { says: ['Trying a push.', 'The push was blocked by policy.'], calls: 1 },
  denyread: { says: ['One ran, one was denied.'], calls: 2 },
  unknown: { says: ['There is no such tool.'], calls: 1 },
  badargs: { says: ['The arguments were wrong.'], calls: 1 },
  ask: { says: ['I need to run something.', 'It ran.'], calls: 1 },
  slow: { says: ['Starting something slow.'], calls: 1 },
  late: { says: ['A slow answer.'], calls: 0 },
  image: { says: ['A single pixel.'], calls: 1 },
  background: { says: ['It runs in the background.'], calls: 1 },
  topic: { says: ['Topic set.'], calls: 1 },
  error400: { says: [], calls: 0 },
  safety: { says: ['partial'], calls: 0 },
  agent: { says: ['Delegating.', 'The helper came back.'], calls: 1 },
  'agent-inner': { says: [], calls: 2, thinks: 1 },
  /** The prompt of the legacy session; its answer was written by hand. */
  legacy: { says: ['an answer from an older release'], calls: 0 },
};

/** This run was killed while the call was in flight, so the call was never written. */
const KILLED = '64b0f57f-aa5c-4e84-8da8-614c73e9337d';

/** Every prompt that was typed in the capture, by project; shell mode apart. */
const PROMPTS: Readonly<Record<string, number>> = {
  /** Nine headless runs, then four sessions in the terminal. */
  '/home/alice/code/shop': 9 + 7 + 4 + 3 + 1,
  '/home/alice/code/Billing API': 10,
  '/home/alice/archive/shop': 5,
  '/home/alice/code/undo': 1,
  '/home/alice/code/expired': 1,
  '/home/alice/code/legacy': 3,
  '/home/alice/code/resumed': 3,
  '/home/alice/code/errors': 1,
  '/home/alice/code/idle': 2,
};

describe('parsers/gemini-cli: the captured home', () => {
  const all = parseHome(geminiCli, HOME);
  const rows = all.filter(({ role }) => role === 'primary');
  const sessions = groupBy(rows, ({ session_id }) => session_id ?? '');

  it('reads every session file of the home, the files beside them, and nothing else', () => {
    const reached = sourcePaths(geminiCli, ROOT, '').filter((path) =>
      geminiCli.files.some((spec) => spec.matches(path)),
    );

    const [sessions, others] = [reached.filter(isSession), reached.filter((path) => !isSession(path))];
    assert.equal(sessions.length, 41);
    assert.deepEqual(others, [
      'policies/auto-saved.toml',
      'policies/company.toml',
      'settings.json',
      'tmp/billing-api/logs.json',
      'tmp/idle/logs.json',
      'tmp/shop/bug-report-history-1796068300784.json',
      'tmp/shop/checkpoint-my%20tag%2Fone.json',
      'tmp/shop/logs.json',
      'tmp/shop/shell_history',
      'tmp/shop-1/logs.json',
      'trustedFolders.json',
    ]);
  });

  it('knows the project of every row by its path', () => {
    const projects = new Set(rows.map(({ project_path }) => project_path));

    assert.deepEqual([...projects].sort(), Object.keys(PROMPTS).sort());
  });

  it('gives every prompt once', () => {
    const typed = rows.filter((row) => row.turn_type === 'user' && row.attributes?.['input'] !== 'shell');

    const counts = Object.fromEntries(
      [...groupBy(typed, (row) => row.project_path ?? '')].map(([k, v]) => [k, v.length]),
    );
    assert.deepEqual(counts, PROMPTS);
    assert.equal(new Set(typed.map((row) => `${row.session_id} ${row.text}`)).size, typed.length);
  });

  it('gives every answer of every scene once, in order', () => {
    for (const [id, session] of sessions) {
      const expected = scenesOf(session).flatMap(({ says }) => says);

      assert.deepEqual(textsOf(session, 'assistant'), expected, id);
    }
  });

  it('gives every thought once', () => {
    for (const [id, session] of sessions) {
      const expected = scenesOf(session).reduce((sum, { thinks = 0 }) => sum + thinks, 0);

      assert.equal(textsOf(session, 'thinking').length, expected, id);
    }
  });

  it('gives every call and its result once', () => {
    for (const [id, session] of sessions) {
      const expected = id === KILLED ? 0 : scenesOf(session).reduce((sum, { calls }) => sum + calls, 0);
      const keys = (turn: string) =>
        session
          .filter(({ turn_type }) => turn_type === turn)
          .map((row) => `${row.record} ${row.tool_use_id}`);

      assert.equal(keys('tool_use').length, expected, id);
      assert.deepEqual(keys('tool_result').sort(), keys('tool_use').sort(), id);
      assert.equal(new Set(keys('tool_use')).size, expected, id);
    }
  });

  it('gives every call id that stands in the raw files', () => {
    const ids = new Set<string>();
    for (const path of sourcePaths(geminiCli, ROOT, '').filter((name) => name.includes('/chats/'))) {
      for (const match of readFileSync(join(ROOT, path), 'utf8').matchAll(
        /"toolCalls":\[.*?"id":"([^"]+)"/g,
      )) {
        ids.add(match[1] ?? '');
      }
    }

    const seen = new Set(
      rows.filter(({ turn_type }) => turn_type === 'tool_use').map((row) => row.tool_use_id),
    );
    assert.ok(ids.size > 25);
    assert.deepEqual(
      [...ids].filter((id) => !seen.has(id)),
      [],
    );
  });

  it('finds the decisions: three blocks by policy, one refusal, one interruption', () => {
    const decisions = rows.filter(({ event }) => event === 'permission.decision');

    const counts = Object.fromEntries(
      [...groupBy(decisions, (row) => String(row.attributes?.['decision']))].map(([k, v]) => [k, v.length]),
    );
    assert.deepEqual(counts, { deny_rule: 3, user_denied: 1, cancelled: 1 });
  });

  it('finds what the program did to the history', () => {
    const count = (event: string) => rows.filter((row) => row.event === event).length;

    assert.equal(count('session.compressed'), 1);
    assert.equal(count('session.rewound'), 1);
    assert.equal(count('session.patched'), 0);
    assert.equal(count('session.history_replaced'), 5);
    assert.equal(count('parser.error'), 0);
  });

  it('gives the three shell commands of shell mode', () => {
    const shell = rows.filter((row) => row.attributes?.['input'] === 'shell');

    assert.deepEqual(
      shell.map(({ text }) => text.split('\n')[2]),
      ['echo from shell mode', 'printf "a\\\\nb\\\\n"', 'false'],
    );
  });

  it('leaves no copy as a row: every prompt, command and turn is in a session', () => {
    assert.deepEqual(
      all.filter(({ recovered }) => recovered === true),
      [],
    );
  });

  it('gives the slash commands of the prompt history, which no session holds', () => {
    const commands = all.filter(({ part }) => part === 'command.slash').map(({ text }) => text);

    assert.deepEqual(commands, [
      'slash command: /quit',
      'slash command: /quit',
      'slash command: /chat save my tag/one',
      'slash command: /model set gemini-2.5-flash',
      'slash command: /bug it broke',
      'slash command: /directory add /home/alice/archive/shop',
      'slash command: /compress',
      'slash command: /quit',
      'slash command: /rewind',
      'slash command: /clear',
      'slash command: /quit',
    ]);
  });

  it('says what was saved and exported', () => {
    const saved = all.filter(({ event }) => event === 'session.checkpoint' || event === 'session.exported');

    assert.deepEqual(
      saved.map(({ text }) => text),
      [
        'bug report history: exported (from .gemini/tmp/shop/bug-report-history-1796068300784.json, time in the file name)',
        'chat checkpoint: tag my tag/one authType=gemini-api-key (from .gemini/tmp/shop/checkpoint-my%20tag%2Fone.json, file mtime)',
      ],
    );
  });

  it('tells the settings and grants, and none of them as a grant of everything but a trusted parent', () => {
    const standing = all.filter(({ role }) => role === 'standing');

    assert.equal(standing.length, 9);
    assert.deepEqual(
      standing.filter(({ attributes }) => attributes?.['trust_all'] === true).map(({ text }) => text),
      [
        'permission setting: trustedFolders./home/alice/archive/shop=TRUST_PARENT (from .gemini/trustedFolders.json, file mtime)',
      ],
    );
  });

  describe('when the sessions of the project are gone', () => {
    const left = parseHome(
      { ...geminiCli, files: geminiCli.files.filter(({ role }) => role !== 'primary') },
      HOME,
    );
    const recovered = left.filter((row) => row.recovered === true);

    it('recovers every prompt that was typed, once', () => {
      const texts = recovered
        .filter(({ turn_type }) => turn_type === 'user')
        .map(({ text }) => text.split('\n', 1)[0]);

      const inProgram = texts.filter((text) => text === 'I ran the following shell command:');
      const typed = texts.filter((text) => text !== 'I ran the following shell command:');
      assert.equal(inProgram.length, 3);
      assert.equal(typed.length, 16 + 3);
      assert.equal(new Set(typed).size, typed.length);
    });

    it('recovers the turns of the saved histories, once', () => {
      const saved = recovered.filter(({ source_file }) => /checkpoint-|bug-report/.test(source_file));

      assert.deepEqual(
        saved
          .filter(({ turn_type }) => turn_type !== 'user' && turn_type !== 'system')
          .map((row) => row.text),
        [
          'Listing now.',
          'list_directory {"dir_path":"src"}',
          'Directory listing for /home/alice/code/shop/src:\nmain.ts (22 bytes)\nutil.ts (22 bytes)',
          'There are two files.',
          'Hello from the scripted model.',
          'I thought about it, then answered.',
        ],
      );
    });
  });
});

function isSession(path: string): boolean {
  return /^tmp\/[^/]+\/chats\//.test(path);
}

function scenesOf(session: readonly HomeRow[]) {
  const scenes = [];
  for (const { turn_type, text, attributes } of session) {
    if (turn_type !== 'user' || attributes?.['input'] === 'shell') continue;
    const name = /\[scene:([^\]]+)\]/.exec(text)?.[1] ?? 'legacy';
    const scene = SCENES[name];
    assert.ok(scene, name);
    scenes.push(scene);
  }
  return scenes;
}

function textsOf(session: readonly HomeRow[], turn: string): string[] {
  return session.filter(({ turn_type }) => turn_type === turn).map(({ text }) => text);
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  return Map.groupBy(items, key);
}
