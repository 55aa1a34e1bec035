import { createWriteStream } from 'node:fs';
import { styleText } from 'node:util';
import { ConfigError, HoldfastError, messageOf } from '../contract/errors.ts';

/** Where a command's result goes. Nothing else in the program writes to standard output. */
export interface Output {
  /** Waits when the reader is slower than we are. */
  line(text: string): Promise<void>;
  /** Waits until everything is written. */
  end(): Promise<void>;
}

export function standardOutput(): Output {
  // A reader that had enough (head) closes the pipe: that is no error of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  return { line: (text) => write(process.stdout, `${text}\n`), end: () => Promise.resolve() };
}

export function fileOutput(path: string): Output {
  const stream = createWriteStream(path, { mode: 0o600 });
  const failed = new Promise<never>((_, reject) => stream.once('error', reject));
  failed.catch(() => {});
  return {
    line: (text) => Promise.race([write(stream, `${text}\n`), failed]),
    end: () => Promise.race([new Promise<void>((resolve) => stream.end(resolve)), failed]),
  };
}

export async function printJson(output: Output, value: unknown): Promise<void> {
  await output.line(JSON.stringify(value, null, 2));
}

/** Columns with two spaces between them; the last one is not padded. */
export function table(rows: readonly (readonly string[])[]): string[] {
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
  process.stderr.write(`${text}\n`);
}

export function sayError(error: unknown): void {
  const known = error instanceof HoldfastError;
  const text = known
    ? error.message
    : `unexpected: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}`;
  const label =
    error instanceof ConfigError ? '' : `${styleText('red', 'error:', { stream: process.stderr })} `;
  say(`${label}${text}`);
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
  const flat = text
    .slice(0, width * 2)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  return flat.length > width ? `${flat.slice(0, width - 1)}…` : flat;
}

function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  if (stream.write(text)) return Promise.resolve();
  return new Promise((resolve) => stream.once('drain', resolve));
}
