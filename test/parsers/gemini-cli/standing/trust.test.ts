import assert from 'node:assert/strict';
import { grantsAll, toolOfPattern } from '../../../../parsers/gemini-cli/standing/trust.ts';

describe('parsers/gemini-cli/standing/trust', () => {
  it('tells a tool from the arguments that a pattern allows', () => {
    for (const [pattern, tool, isNarrowed] of [
      ['write_file', 'write_file', false],
      ['run_shell_command()', 'run_shell_command', false],
      ['run_shell_command(*)', 'run_shell_command', false],
      [' run_shell_command ( git status ) ', 'run_shell_command', true],
      ['run_shell_command(echo (x))', 'run_shell_command', true],
    ] as const)
      assert.deepEqual(toolOfPattern(pattern), { tool, isNarrowed }, pattern);
  });

  it('knows the tools that can do anything', () => {
    assert.deepEqual(['*', 'run_shell_command', 'ShellTool', 'write_file', ''].filter(grantsAll), [
      '*',
      'run_shell_command',
      'ShellTool',
    ]);
  });
});
