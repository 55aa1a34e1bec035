import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { EXIT, exitCodeOf } from '../contract/errors.ts';
import { VERSION } from '../platform/program.ts';
import { checkFormat, SCAN_FORMATS } from './formats.ts';
import { sayError } from './output.ts';

/** Runs one command; returns its exit code (docs/cli.md). Commands are loaded when they are asked for. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let code: number = EXIT.ok;
  const program = createProgram((exitCode) => {
    code = exitCode;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    sayError(error);
    return exitCodeOf(error);
  }
}

export function createProgram(setExitCode: (code: number) => void): Command {
  const program = new Command('holdfast')
    .description('Keeps what AI coding agents do on this machine, and delivers it to a collector.')
    .version(VERSION)
    .option('-c, --config <file>', 'configuration file instead of the usual one')
    .option('--state-dir <dir>', 'state directory instead of the configured one')
    .option('--json', 'output for programs')
    .exitOverride()
    .showHelpAfterError('Run holdfast --help for the commands.');
  program
    .command('run')
    .description('watch the homes of this machine and deliver their rows, until stopped')
    .action(async (_, command: Command) => (await import('./run.ts')).run(command.optsWithGlobals()));
  program
    .command('scan')
    .description('read one or more homes once and print their rows; nothing is kept or sent')
    .option('--home <dir...>', 'home to read; may be a copy from another machine')
    .option('-f, --format <format>', `one of ${SCAN_FORMATS.join(', ')}`, checkFormat)
    .option('-o, --output <file>', 'file to write to instead of standard output')
    .option('--summary', 'print a summary as JSON when rows go to a file')
    .action(async (_, command: Command) => (await import('./scan.ts')).scan(command.optsWithGlobals()));
  program
    .command('status')
    .description('how the running agent is; exit code 1 when something is not as it should be')
    .action(async (_, command: Command) =>
      setExitCode(await (await import('./status.ts')).status(command.optsWithGlobals())),
    );
  addReadingCommands(program);
  addVaultCommand(program);
  program
    .command('check')
    .description('check configuration, permissions and whether every collector answers')
    .action(async (_, command: Command) =>
      setExitCode(await (await import('./check.ts')).check(command.optsWithGlobals())),
    );
  program
    .command('config')
    .description('every effective setting and where it came from')
    .action(async (_, command: Command) => (await import('./config.ts')).config(command.optsWithGlobals()));
  program
    .command('collector')
    .description('run the reference collector by itself')
    .option('--dir <dir>', 'directory of its database')
    .option('--host <address>', 'address to listen on')
    .option('--port <port>', 'port to listen on; 0 takes any free one', wholeNumber)
    .option('--token-file <file>', 'file with the tokens senders must present, one a line')
    .option('--tls-cert <file>', 'PEM file of its certificate; needs --tls-key')
    .option('--tls-key <file>', 'PEM file of the private key of --tls-cert')
    .option('--client-ca <file>', 'PEM file of the authority whose certificates senders must present')
    .option('--allow-insecure', 'listen beyond loopback also without token or TLS')
    .action(async (_, command: Command) =>
      (await import('./collector.ts')).collector(command.optsWithGlobals()),
    );
  program
    .command('version')
    .description('version of this program and of the row form')
    .action(async (_, command: Command) => (await import('./version.ts')).version(command.optsWithGlobals()));
  return program;
}

/** Commands that ask the running agent for rows. */
function addReadingCommands(program: Command): void {
  program
    .command('tail')
    .description('rows as they are committed')
    .option('--since <seq>', 'begin behind this row number', wholeNumber)
    .action(async (_, command: Command) => (await import('./tail.ts')).tail(command.optsWithGlobals()));
  program
    .command('sessions')
    .description('sessions seen on this machine, latest first')
    .option('-n, --limit <count>', 'how many', wholeNumber)
    .action(async (_, command: Command) =>
      (await import('./sessions.ts')).sessions(command.optsWithGlobals()),
    );
  program
    .command('show')
    .description('one session as a conversation')
    .argument('<session>', 'id of the session, or the beginning of it')
    .action(async (session: string, _, command: Command) =>
      (await import('./sessions.ts')).show(session, command.optsWithGlobals()),
    );
}

function addVaultCommand(program: Command): void {
  program
    .command('vault')
    .description('session files that are kept under a second name, and what that costs')
    .option('--release', 'let all of them go; only while Holdfast is stopped')
    .action(async (_, command: Command) => (await import('./vault.ts')).vault(command.optsWithGlobals()));
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
