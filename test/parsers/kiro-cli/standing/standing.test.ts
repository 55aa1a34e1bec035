import assert from 'node:assert/strict';
import type { DraftRow } from '../../../../agent/contract/row.ts';
import { parse, said } from '../support.ts';

const trustAll = (rows: readonly DraftRow[]) =>
  rows
    .filter(({ attributes }) => attributes?.['trust_all'] === true)
    .map(({ attributes }) => attributes?.['value']);

describe('parsers/kiro-cli/standing', () => {
  it('tells how long sessions are kept, and that trust-all asks no more', () => {
    const rows = parse(
      '{"cleanup.periodDays": 0, "chat.disableTrustAllConfirmation": true, "secret": "x"}',
      'settings/cli.json',
    );

    assert.deepEqual(said(rows), [
      'retention.setting: session retention: cleanup.periodDays=0',
      'permission.setting: permission setting: chat.disableTrustAllConfirmation=true',
    ]);
    assert.equal(rows[0]?.attributes?.['days'], 0);
  });

  describe('permissions', () => {
    const yaml = (text: string, path = 'settings/permissions.yaml') =>
      parse(text, path, { project: () => undefined });

    it('tells each rule as a whole, in YAML and in JSON alike', () => {
      const rules =
        'rules:\n  - capability: shell\n    effect: allow\n    match: ["npm *"]\n    exclude: "npm publish*"\n';
      const json = {
        rules: [{ capability: 'shell', effect: 'allow', match: 'npm *', exclude: ['npm publish*'] }],
      };

      assert.deepEqual(said(yaml(rules)), [
        'permission.setting: permission setting: permissions allow shell match=[npm *] exclude=[npm publish*]',
      ]);
      assert.deepEqual(said(yaml(JSON.stringify(json), 'settings/permissions.json')), said(yaml(rules)));
    });

    it('sees a rule that allows everything', () => {
      const rule = (text: string) => `rules:\n  - ${text}\n`;

      for (const text of [
        '{capability: all, effect: allow}',
        '{capability: shell, effect: allow, match: ["**"]}',
      ])
        assert.equal(trustAll(yaml(rule(text))).length, 1, text);
      for (const text of [
        '{capability: all, effect: ask}',
        '{capability: shell, effect: allow, match: ["npm *"]}',
        '{capability: fs_read, effect: allow}',
        '{capability: shell, effect: allow, exclude: ["rm *"]}',
      ])
        assert.equal(trustAll(yaml(rule(text))).length, 0, text);
    });

    it('counts a rule that stands twice as two', () => {
      const rule = '  - {capability: shell, effect: deny}\n';

      assert.equal(yaml(`rules:\n${rule}${rule}`).length, 2);
    });

    it('refuses what is no YAML, and aliases that stand for more than they are', () => {
      const bomb = `a: &a [x]\n${Array.from({ length: 30 }, (_, n) => `k${n}: [*a, *a, *a]`).join('\n')}\n`;

      for (const text of ['rules: [', bomb])
        assert.deepEqual(said(yaml(text)), [
          'parser.error: parser: .kiro/settings/permissions.yaml is not an object of settings',
        ]);
    });

    it('tells the workspace of its rules, and its path where the store notes it', () => {
      const path = 'workspace-roots/2af6b4a70d443ffd/permissions.yaml';
      const [row] = parse('rules: [{capability: all, effect: allow}]\n', path, {
        project: () => '/home/alice/proj',
      });

      assert.equal(row?.project_path, '/home/alice/proj');
      assert.equal(row?.attributes?.['workspace'], '2af6b4a70d443ffd');
      assert.equal(row?.attributes?.['trust_all'], true);
    });
  });

  describe('agents', () => {
    const agent = (value: object) => parse(JSON.stringify(value), 'agents/dev.json');

    it('tells what an agent may do, what is denied to it and what it runs', () => {
      const rows = agent({
        name: 'dev',
        allowedTools: ['read'],
        toolsSettings: {
          shell: { allowedCommands: ['git .*'], deniedCommands: ['rm .*'], denyByDefault: true },
        },
        hooks: { preToolUse: [{ matcher: 'shell', command: './guard.sh' }] },
        permissions: { rules: [{ capability: 'shell', effect: 'deny', match: ['sudo *'] }] },
        mcpServers: {
          stock: { command: '/usr/bin/python3', args: ['secret'], env: { TOKEN: 'not-a-token' } },
        },
        model: 'auto',
      });

      assert.deepEqual(said(rows), [
        'permission.setting: permission setting: allowedTools=read',
        'permission.setting: permission setting: toolsSettings.shell.allowedCommands=git .*',
        'permission.setting: permission setting: toolsSettings.shell.deniedCommands=rm .*',
        'permission.setting: permission setting: toolsSettings.shell.denyByDefault=true',
        'permission.setting: permission setting: permissions deny shell match=[sudo *]',
        'permission.setting: permission setting: hooks.preToolUse=shell:./guard.sh',
        'model.setting: model setting: model=auto',
        'mcp.server: mcp server: stock transport=stdio command=python3 trust=false env=[TOKEN]',
      ]);
      assert.ok(rows.every(({ text }) => !text.includes('secret') && !text.includes('not-a-token')));
    });

    it('sees grants of everything under each of their names', () => {
      const rows = agent({
        allowedTools: ['*', '@builtin', 'shell', 'read', '@git/status'],
        toolsSettings: {
          execute_bash: { allowedCommands: ['.*', 'git .*'] },
          fs_write: { allowedPaths: ['/', 'docs/**'] },
          subagent: { trustedAgents: ['*'] },
        },
      });

      assert.deepEqual(trustAll(rows), ['*', '@builtin', 'shell', '.*', '/', '*']);
    });

    it('reads the head of an agent that is written as text', () => {
      const text = '---\nname: reviewer\nallowedTools: ["*"]\n---\nYou review.\n';

      assert.deepEqual(trustAll(parse(text, 'agents/reviewer.md')), ['*']);
      assert.deepEqual(parse('no head\n', 'agents/plain.md'), []);
    });
  });

  it('tells servers by their structure, and which of their tools do not ask', () => {
    const servers = {
      git: { command: 'uvx', autoApprove: ['git_log'], disabledTools: ['push'], env: { KEY: 'hidden' } },
      all: { url: 'https://user:pass@mcp.example.invalid/mcp?key=1', autoApprove: ['*'], disabled: true },
    };
    const rows = parse(JSON.stringify({ mcpServers: servers }), 'settings/mcp.json');

    assert.deepEqual(trustAll(rows), ['*']);
    assert.ok(
      rows.every(({ text, attributes }) => !/hidden|pass|key=1/.test(text + JSON.stringify(attributes))),
    );
    assert.equal(rows.length, 6);
  });

  it('tells a session that was taken off the list', () => {
    const line = (op: string) =>
      `${JSON.stringify({ op, sessionPath: 'b/sess_1', at: 1_788_520_400_000 })}\n`;
    const rows = parse(line('add') + line('remove') + line('add') + line('remove'), 'session-index/b.jsonl');

    assert.deepEqual(said(rows), [
      'session.listed: session taken off the list: sess_1',
      'session.listed: session taken off the list: sess_1',
    ]);
    assert.equal(rows[0]?.session_id, 'sess_1');
  });
});
