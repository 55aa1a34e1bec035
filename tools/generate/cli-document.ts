import { createProgram } from '../../agent/cli/program.ts';
import { EXIT } from '../../agent/contract/errors.ts';

const MEANINGS = {
  ok: 'done; for status: all is well',
  unhealthy: 'something is not as it should be; the output says what',
  usage: 'the command line or the configuration is wrong',
  environment: 'permission, disk, port, or nothing runs that could answer',
  bug: 'an error of ours; please report it',
} as const satisfies Record<keyof typeof EXIT, string>;

/** docs/cli.md: every command's help as the program prints it. */
export function cliDocument(): string {
  const program = createProgram(() => {});
  program.configureHelp({ helpWidth: 100 });
  const commands = program.commands.filter((command) => command.name() !== 'help');
  return [
    '# Command line',
    '',
    'Made by `npm run generate` from the program itself. `--json` gives output for programs wherever a person would read a table.',
    '',
    fence(program.helpInformation()),
    ...commands.flatMap((command) => [
      `## holdfast ${command.name()}`,
      '',
      fence(command.configureHelp({ helpWidth: 100 }).helpInformation()),
    ]),
    '## Exit codes',
    '',
    '| code | means |',
    '| --- | --- |',
    ...Object.entries(EXIT).map(([name, code]) => `| ${code} | ${MEANINGS[name as keyof typeof EXIT]} |`),
    '',
  ].join('\n');
}

function fence(text: string): string {
  return `\`\`\`\n${text.trimEnd()}\n\`\`\`\n`;
}
