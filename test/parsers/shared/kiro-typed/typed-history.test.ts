import assert from 'node:assert/strict';
import { SOURCES } from '../../../../parsers/index.ts';
import { answer, parse, prompt, said, specFor, versions } from '../../kiro-cli/support.ts';
import { fakeContext, parseFile } from '../../support.ts';

const PATH = '.cli_bash_history';

describe('parsers/shared/kiro-typed/typed-history', () => {
  it('is ahead of the conversation in every program that writes it, so that it waits for the answer', () => {
    const ahead = SOURCES.flatMap(({ id, files }) =>
      files.flatMap((spec) =>
        spec.name === 'typed-history' ? [[id, spec.kind === 'document' && spec.isAhead]] : [],
      ),
    );

    assert.deepEqual(Object.fromEntries(ahead), { 'amazon-q': true, 'kiro-cli': true });
  });

  it('gives each prompt as a copy of what a session may hold', () => {
    const [copy] = parse('list files\n', PATH);
    const [user] = parse([prompt('list files'), answer('a1', 'Yes.')]);

    assert.equal(copy?.copyOf, user?.claims?.[0]);
    assert.equal(copy?.timestamp_source, 'file');
  });

  it('reads both forms of a line break, and leaves escapes that no program writes', () => {
    const escaped = parse('#V2\nwipe the\\nbuild \\\\ now\nbroken \\q escape\n', PATH);
    const plain = parse('first\\nsecond \\ with\n', PATH);

    assert.deepEqual(
      escaped.map(({ text }) => text),
      ['wipe the\nbuild \\ now', 'broken \\q escape'],
    );
    assert.deepEqual(
      plain.map(({ text }) => text),
      ['first\nsecond \\ with'],
    );
  });

  it('tells commands, and those that change what runs without asking as such', () => {
    const rows = parse(
      '/quit\n/tools trust-all\n/acceptall\n/tools trust shell\n/tools untrust shell\n/tools reset\n/home/alice/x is a path\n',
      PATH,
    );

    assert.deepEqual(said(rows), [
      'command.slash: slash command: /quit',
      'permission.mode: permission mode: trust-all (typed /tools trust-all)',
      'permission.mode: permission mode: trust-all (typed /acceptall)',
      'permission.setting: permission setting: trust shell (typed /tools trust shell)',
      'permission.setting: permission setting: untrust shell (typed /tools untrust shell)',
      'permission.setting: permission setting: reset (typed /tools reset)',
      'user: /home/alice/x is a path',
    ]);
    assert.deepEqual(rows.filter(({ attributes }) => attributes?.['trust_all'] === true).length, 2);
    assert.ok(rows.slice(0, 6).every(({ attributes }) => attributes?.['source'] === 'history'));
  });

  it('tells only what is new when the file is written again', () => {
    const told = versions(PATH, [
      'one\n/tools trust-all\n',
      'one\n/tools trust-all\ntwo\n/tools trust-all\n',
    ]);

    assert.deepEqual(
      told.map((rows) => rows.map(({ text, content }) => [text, content])),
      [
        [
          ['one', 'one'],
          ['permission mode: trust-all (typed /tools trust-all)', '1'],
        ],
        [
          ['two', 'two'],
          ['permission mode: trust-all (typed /tools trust-all)', '2'],
        ],
      ],
    );
  });

  it('tells a command that is typed again when the oldest entries are dropped for it', () => {
    const entries = ['/tools trust-all', ...Array.from({ length: 98 }, (_, n) => `entry ${n}`), 'last'];
    const later = [...entries.slice(1), '/tools trust-all'];
    const told = versions(PATH, [`${entries.join('\n')}\n`, `${later.join('\n')}\n`]);

    assert.deepEqual(
      told[1]?.map(({ event, content }) => [event, content]),
      [['permission.mode', '2']],
    );
  });

  it('compares a file that another program wrote anew entry by entry', () => {
    const told = versions(PATH, ['a\nb\n/clear\n', '/clear\nx\nb\n/clear\n']);

    assert.deepEqual(said(told[1] ?? []), ['user: x', 'command.slash: slash command: /clear']);
  });

  it('says which line is no text', () => {
    const bytes = Buffer.concat([Buffer.from('one\ncaf'), Buffer.from([0xff, 0x0a])]);
    const rows = parseFile(specFor(PATH), bytes, fakeContext(PATH));

    assert.deepEqual(
      rows.map(({ turn_type, event, source_line }) => [event ?? turn_type, source_line]),
      [
        ['user', 1],
        ['parser.error', 2],
      ],
    );
  });

  it('gives the session of a history that is named by one', () => {
    const [row] = parse('/tools trust-all\n', 'sessions/cli/c0de0001-1111-4000-8000-000000000001.history');

    assert.equal(row?.session_id, 'c0de0001-1111-4000-8000-000000000001');
  });

  it('tells the sentence of a deny rule that a person typed apart from a rule', () => {
    const text = 'Tool use with fs_read was rejected because the arguments supplied were forbidden\n';

    const [row] = parse(text, '.cli_bash_history');

    assert.equal(row?.event, 'permission.decision');
    assert.equal(row?.attributes?.['corrects'], 'deny-rule');
    assert.equal(row?.tool_name, 'fs_read');
  });
});
