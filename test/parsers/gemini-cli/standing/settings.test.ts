import assert from 'node:assert/strict';
import { settingsReader } from '../../../../parsers/gemini-cli/standing/settings.ts';
import { fakeContext } from '../../support.ts';
import { entriesOf, readStanding, subjectsOf } from '../specs.ts';
import { PROJECT } from '../support.ts';

const PATH = 'settings.json';

describe('parsers/gemini-cli/standing/settings', () => {
  it('gives each element of a list, and each value, as recorded', () => {
    const text = JSON.stringify({
      general: { defaultApprovalMode: 'plan' },
      tools: { allowed: ['read_file', 'run_shell_command(git)'], sandbox: false },
      security: { folderTrust: { enabled: true } },
    });

    assert.deepEqual(subjectsOf(PATH, text), [
      'tools.allowed=read_file',
      'tools.allowed=run_shell_command(git)',
      'general.defaultApprovalMode=plan',
      'tools.sandbox=false',
      'security.folderTrust.enabled=true',
    ]);
  });

  it('calls retention, model and telemetry by their names', () => {
    const text = JSON.stringify({
      general: { sessionRetention: { maxAge: '7d', maxCount: 5 } },
      model: { name: 'gemini-3-pro' },
      telemetry: { enabled: true, otlpEndpoint: 'https://u:secret@c.example.com/v1?k=secret' },
    });

    assert.deepEqual(
      entriesOf(PATH, text).map(({ label, event, subject }) => [label, event, subject]),
      [
        ['session retention', 'retention.setting', 'general.sessionRetention.maxAge=7d'],
        ['session retention', 'retention.setting', 'general.sessionRetention.maxCount=5'],
        ['model setting', 'model.setting', 'model.name=gemini-3-pro'],
        ['telemetry setting', 'telemetry.setting', 'telemetry.enabled=true'],
        ['telemetry setting', 'telemetry.setting', 'telemetry.otlpEndpoint=https://c.example.com/v1'],
      ],
    );
  });

  it('looks at no other key', () => {
    const text = JSON.stringify({
      security: { auth: { selectedType: 'secret' }, other: 1 },
      tools: { shell: { pager: 'secret' } },
      env: { TOKEN: 'secret' },
      mcp: { serverCommand: 'secret' },
    });

    assert.deepEqual(entriesOf(PATH, text), []);
  });

  it('tells of MCP servers by structure, never a value', () => {
    const text = JSON.stringify({
      mcpServers: { wiki: { command: '/opt/wiki', args: ['secret'], env: { TOKEN: 'secret' }, trust: true } },
    });

    const entries = entriesOf(PATH, text);

    assert.deepEqual(
      entries.map(({ subject }) => subject),
      ['wiki transport=stdio command=wiki trust=true env=[TOKEN]'],
    );
    assert.ok(!JSON.stringify(entries).includes('secret'));
  });

  it('marks what lets everything run without asking', () => {
    const trusting = (settings: unknown) =>
      entriesOf(PATH, JSON.stringify(settings))
        .filter(({ attributes }) => attributes?.['trust_all'] === true)
        .map(({ subject }) => subject);

    assert.deepEqual(trusting({ general: { defaultApprovalMode: 'auto_edit' } }), [
      'general.defaultApprovalMode=auto_edit',
    ]);
    assert.deepEqual(trusting({ general: { defaultApprovalMode: 'default' } }), []);
    assert.deepEqual(
      trusting({
        tools: {
          allowed: [
            'run_shell_command',
            'run_shell_command(git status)',
            'run_shell_command(*)',
            'write_file',
          ],
          exclude: ['run_shell_command'],
        },
      }),
      ['tools.allowed=run_shell_command', 'tools.allowed=run_shell_command(*)'],
    );
  });

  it('names tool and decision of a tool list', () => {
    const [entry] = entriesOf(PATH, '{"tools":{"exclude":["run_shell_command(rm)"]}}');

    assert.deepEqual(entry?.attributes, {
      kind: 'setting',
      setting: 'tools.exclude',
      scope: 'home',
      tool: 'run_shell_command',
      decision: 'deny',
    });
  });

  it('counts an element that stands twice once', () => {
    assert.deepEqual(subjectsOf(PATH, '{"tools":{"core":["a","a"]}}'), ['tools.core=a']);
  });

  it('reads comments, trailing commas and a byte order mark', () => {
    assert.deepEqual(subjectsOf(PATH, '\ufeff{ // why\n "model": { "name": "x", }, /* end */ }'), [
      'model.name=x',
    ]);
  });

  it('takes values of another shape as they are, and inherited names for none', () => {
    assert.deepEqual(subjectsOf(PATH, '{"tools":{"allowed":"all"},"security":7}'), ['tools.allowed=all']);
    assert.deepEqual(subjectsOf(PATH, '{"__proto__":{"model":{"name":"x"}}}'), []);
  });

  it('never takes a broken file for one without settings', () => {
    for (const text of ['', '{', '{"model":{"name":"x"', 'nonsense']) {
      assert.deepEqual(readStanding(PATH, text, { settled: false }), { kind: 'torn' });
      assert.equal(readStanding(PATH, text).kind, 'unreadable');
    }
  });

  it('says so in a row that does not quote the file', () => {
    const result = readStanding(PATH, '["secret"]', { settled: false });

    assert.ok(result.kind === 'unreadable');
    assert.deepEqual(
      result.rows.map(({ text, event }) => [text, event]),
      [['parser: .gemini/settings.json is not a JSON object', 'parser.error']],
    );
  });

  it('serves the file of a project too', () => {
    const context = fakeContext('settings.json', { project: () => PROJECT });
    const document = { bytes: Buffer.from('{"model":{"name":"x"},"mcpServers":{"a":{}}}'), settled: true };

    const result = settingsReader('project')(document, context);

    assert.ok(result.kind === 'entries');
    assert.deepEqual(
      result.entries.map(({ project, attributes }) => [project, attributes?.['scope']]),
      [
        [PROJECT, 'project'],
        [PROJECT, 'project'],
      ],
    );
  });
});
