import assert from 'node:assert/strict';
import { joinContinued, shellCommands } from '../../../parsers/gemini-cli/shell-input.ts';

describe('parsers/gemini-cli/shell-input', () => {
  it('gives the command of a prompt in shell mode', () => {
    assert.deepEqual(shellCommands(ran('git status')), ['git status']);
    assert.deepEqual(shellCommands(ran('cat <<X\na\nX')), ['cat <<X\na\nX']);
  });

  it('gives an escaped command as it was typed, and as it is written', () => {
    assert.deepEqual(shellCommands(ran('echo \\`date\\` \\\\n')), [
      'echo `date` \\n',
      'echo \\`date\\` \\\\n',
    ]);
  });

  it('gives nothing for any other prompt, or one that is cut', () => {
    for (const text of ['', 'git status', '```sh\nls\n```', ran('ls').slice(0, 50)])
      assert.deepEqual(shellCommands(text), []);
  });

  it('joins a line to the one before that ends in an odd number of backslashes', () => {
    const lines = ['make\\', 'test', 'a\\\\', 'b', 'c\\\\\\', '', 'd'];

    assert.deepEqual(joinContinued(lines), [
      { text: 'make test', line: 1 },
      { text: 'a\\\\', line: 3 },
      { text: 'b', line: 4 },
      { text: 'c\\\\ d', line: 5 },
    ]);
  });

  it('leaves a backslash at the very end where it is', () => {
    assert.deepEqual(joinContinued(['a\\']), [{ text: 'a\\', line: 1 }]);
    assert.deepEqual(joinContinued([' ', '']), []);
  });
});

function ran(command: string): string {
  const output = '\n```\n\nThis produced the following result:\n```\ndone\n```';
  return `I ran the following shell command:\n\`\`\`sh\n${command}${output}`;
}
