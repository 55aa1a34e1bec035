import assert from 'node:assert/strict';
import { policyReader } from '../../../../parsers/gemini-cli/standing/policies.ts';
import { fakeContext } from '../../support.ts';
import { entriesOf, readStanding, subjectsOf } from '../specs.ts';
import { PROJECT } from '../support.ts';

const PATH = 'policies/auto-saved.toml';
const GIT =
  '[[rule]]\ndecision = "allow"\npriority = 950\ntoolName = "run_shell_command"\ncommandPrefix = ["git"]\n';
const SHELL = '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = 950\n';

describe('parsers/gemini-cli/standing/policies', () => {
  it('gives each rule with its keys in the order of the file', () => {
    assert.deepEqual(subjectsOf(PATH, GIT), [
      'policy allow run_shell_command priority=950 commandPrefix=["git"]',
    ]);
  });

  it('finds nothing new in the same rules in another order', () => {
    const keys = (text: string) =>
      entriesOf(PATH, text)
        .map(({ key, value }) => `${key} ${value}`)
        .sort();

    assert.deepEqual(keys(GIT + SHELL), keys(SHELL + GIT));
    assert.deepEqual(
      keys(SHELL),
      keys('[[rule]]\npriority = 950\ndecision = "allow"\ntoolName = "run_shell_command"\n'),
    );
  });

  it('counts the same rule twice as two, and takes one of them for one', () => {
    const keys = (text: string) => entriesOf(PATH, text).map(({ key }) => key);

    const twice = keys(GIT + GIT);
    assert.equal(new Set(twice).size, 2);
    assert.deepEqual(keys(GIT), twice.slice(0, 1));
  });

  it('writes values as recorded: lists and tables as JSON, numbers as they are', () => {
    const text =
      '[[rule]]\ntoolName = ["a", "b"]\ndecision = "ask_user"\npriority = 2.95\nbig = 123456789012345678901\nlist = [123456789012345678901]\nwhen = 2026-10-01T09:00:00Z\nallowRedirection = true\ntoolAnnotations = { readOnlyHint = true }\n';

    assert.deepEqual(subjectsOf(PATH, text), [
      'policy ask_user ["a","b"] priority=2.95 big=123456789012345678901 list=["123456789012345678901"] when=2026-10-01T09:00:00.000Z allowRedirection=true toolAnnotations={"readOnlyHint":true}',
    ]);
  });

  it('does without a tool or a decision, and leaves out what is no rule', () => {
    const text = '[[rule]]\nmcpName = "wiki"\n\n[[safety_checker]]\ntoolName = "x"\n';

    assert.deepEqual(subjectsOf(PATH, text), ['policy - - mcpName=wiki']);
    assert.deepEqual(subjectsOf(PATH, 'rule = 7\n'), []);
    assert.deepEqual(subjectsOf(PATH, ''), []);
  });

  it('marks rules that let everything run, and only those', () => {
    const isTrusting = (rule: string) =>
      entriesOf('policies/team.toml', `[[rule]]\n${rule}\n`)[0]?.attributes?.['trust_all'] === true;

    for (const rule of [
      'toolName = "*"\ndecision = "allow"',
      'toolName = "run_shell_command"\ndecision = "allow"',
      'toolName = ["read_file", "run_shell_command"]\ndecision = "allow"',
      'toolName = "run_shell_command"\ndecision = "allow"\nmodes = ["default", "autoEdit", "yolo"]',
      'toolName = "write_file"\ndecision = "allow"\nmodes = ["yolo"]',
    ])
      assert.ok(isTrusting(rule), rule);
    for (const rule of [
      'toolName = "*"\ndecision = "deny"',
      'toolName = "*"\ndecision = "ask_user"\nmodes = ["yolo"]',
      'toolName = "*"\ndecision = "allow"\nmcpName = "wiki"',
      'toolName = "run_shell_command"\ndecision = "allow"\ncommandPrefix = "git"',
      'toolName = "run_shell_command"\ndecision = "allow"\nargsPattern = "x"',
      'toolName = "run_shell_command"\ndecision = "allow"\ncommandPrefix = ["touch"]\nmodes = ["default", "autoEdit", "yolo"]',
      'toolName = "write_file"\ndecision = "allow"',
    ])
      assert.ok(!isTrusting(rule), rule);
  });

  it('says of the copy of a broken file that its rules do not hold', () => {
    const [entry] = entriesOf('policies/auto-saved.toml.bak', SHELL);

    assert.equal(entry?.attributes?.['active'], false);
    assert.equal(entry.attributes['trust_all'], undefined);
    assert.equal(entry.attributes['auto_saved'], true);
  });

  it('waits while the file may be cut', () => {
    for (const text of ['', GIT.slice(0, 30), GIT.slice(0, -1), `${GIT}[[rule]]\ndecision = "al\n`])
      assert.deepEqual(readStanding(PATH, text, { settled: false }), { kind: 'torn' }, text);
  });

  it('takes a quiet file without a last line feed as it is', () => {
    assert.equal(subjectsOf(PATH, GIT.slice(0, -1)).length, 1);
  });

  it('says why a file cannot be read, without its lines', () => {
    const result = readStanding('policies/auto-saved.toml.bak', 'secret = "x"\n[[rule]\nsecret = "y"\n');

    assert.ok(result.kind === 'unreadable');
    assert.match(
      result.rows[0]?.text ?? '',
      /^parser: unreadable \.gemini\/policies\/auto-saved\.toml\.bak: .+ \(line 2\)$/,
    );
    assert.ok(!result.rows[0]?.text.includes('secret'));
  });

  it('refuses what is too long or too deep for a policy', () => {
    for (const text of [`x = ${'['.repeat(2000)}${']'.repeat(2000)}\n`, '#'.repeat(5 << 20)])
      assert.equal(readStanding(PATH, `${text}\n`).kind, 'unreadable');
  });

  it('serves the file of a project too', () => {
    const context = fakeContext(PATH, { project: () => PROJECT });

    const result = policyReader('project')({ bytes: Buffer.from(GIT), settled: true }, context);

    assert.ok(result.kind === 'entries');
    assert.deepEqual(
      result.entries.map(({ project, attributes }) => [project, attributes?.['scope']]),
      [[PROJECT, 'project']],
    );
  });
});
