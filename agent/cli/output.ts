import { createWriteStream, openSync } from 'node:fs';
import { styleText } from 'node:util';
import { ConfigError, EnvironmentError, EXIT, HoldfastError, messageOf } from '../contract/errors.ts';

/** Where a command's result goes. Nothing else in the program writes to standard output. */
export interface Output {
  /** Waits when the reader is slower than we are. */
  line(text: string): Promise<void>;
  /** Waits until everything is written. */
  end(): Promise<void>;
}

export function standardOutput(): Output {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    // A reader that had enough (head) closes the pipe: that is no error of ours.
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    sayError(notWritten('standard output', error));
    process.exit(EXIT.environment);
  });
  return { line: (text) => write(process.stdout, `${text}\n`), end: () => Promise.resolve() };
}

/** Throws an EnvironmentError at once when the file cannot be written, before anything was read. */
export function fileOutput(path: string): Output {
  const stream = createWriteStream(path, { fd: openForWriting(path) });
  const failed = new Promise<never>((_, reject) =>
    stream.once('error', (error) => reject(notWritten(path, error))),
  );
  failed.catch(() => {});
  return {
    line: (text) => Promise.race([write(stream, `${text}\n`), failed]),
    end: () => Promise.race([new Promise<void>((resolve) => stream.end(resolve)), failed]),
  };
}

function openForWriting(path: string): number {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    throw notWritten(path, error);
  }
}

function notWritten(path: string, cause: unknown): EnvironmentError {
  return new EnvironmentError('OUTPUT', `cannot write to ${path}: ${messageOf(cause)}`, {
    hint: 'What was written so far is not complete. Check the path, its mode and the free space.',
    cause,
  });
}

export async function printJson(output: Output, value: unknown): Promise<void> {
  await output.line(JSON.stringify(value, null, 2));
}

/** Columns with two spaces between them; the last one is not padded. */
export function table(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(flat));
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** A message for the person at the terminal, beside the result. */
export function say(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

export function sayError(error: unknown): void {
  const known = error instanceof HoldfastError;
  const text = known
    ? error.message
    : `unexpected: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}`;
  if (!(error instanceof ConfigError))
    process.stderr.write(`${styleText('red', 'error:', { stream: process.stderr })} `);
  say(text);
  if (known && error.hint !== undefined) say(error.hint);
}

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan' | 'magenta';

/** Colour where the terminal shows it; plain text in a pipe or under NO_COLOR. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

export interface ProgressLine {
  show(text: string): void;
  clear(): void;
}

/** One line on a terminal that is overwritten; nothing when standard error is no terminal. */
export function progressLine(): ProgressLine {
  if (!process.stderr.isTTY) return { show() {}, clear() {} };
  return {
    show: (text) => void process.stderr.write(`\r\x1b[2K${text.slice(0, process.stderr.columns - 1)}`),
    clear: () => void process.stderr.write('\r\x1b[2K'),
  };
}

/** Text of a row on one line of bounded length, without control characters that could play with a terminal. */
export function oneLine(text: string, width: number): string {
  const line = flat(text.slice(0, width * 2).replaceAll(/\s+/g, ' ')).trim();
  return line.length > width ? `${line.slice(0, width - 1).trimEnd()}…` : line;
}

/**
 * Keeps line breaks and tabs; drops what could move the cursor, change the terminal or turn text around. Names of
 * files, sessions and tools come from whoever can write below a home, just as texts do.
 */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '').replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

/** The same on one line: without line breaks and tabs, too. */
export function flat(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '');
}

function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  if (stream.write(text)) return Promise.resolve();
  return new Promise((resolve) => stream.once('drain', resolve));
}
