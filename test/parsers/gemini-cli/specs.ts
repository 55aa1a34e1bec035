import assert from 'node:assert/strict';
import type { DraftRow } from '../../../agent/contract/row.ts';
import type {
  DocumentResult,
  FileSpec,
  ParseContext,
  StandingEntry,
  StandingResult,
} from '../../../agent/contract/source.ts';
import { geminiCli } from '../../../parsers/gemini-cli/index.ts';
import { type FakeContext, fakeContext, parseLog } from '../support.ts';
import { PROJECT } from './support.ts';

export interface FileOptions {
  readonly settled?: boolean;
  readonly given?: Partial<ParseContext>;
}

export interface Parsed {
  readonly result: DocumentResult;
  readonly rows: readonly DraftRow[];
  readonly context: FakeContext;
}

/** The file kind that reads a path; fails when there is none. */
export function specFor(path: string): FileSpec {
  const spec = geminiCli.files.find((file) => file.matches(path));
  assert.ok(spec, `nothing reads ${path}`);
  return spec;
}

/** Reads a document as capture does; settled unless said otherwise. */
export function parseDocument(path: string, content: string | Buffer, options: FileOptions = {}): Parsed {
  const spec = specFor(path);
  assert.ok(spec.kind === 'document');
  const context = contextFor(path, options);
  const rows: DraftRow[] = [];
  const document = { bytes: Buffer.from(content), settled: options.settled ?? true };
  const result = spec.parse(document, context, (row) => void rows.push(row));
  return { result, rows, context };
}

export function parseLines(path: string, content: string | Buffer, options: FileOptions = {}): DraftRow[] {
  const spec = specFor(path);
  assert.ok(spec.kind === 'log');
  return parseLog(spec, Buffer.from(content), contextFor(path, options));
}

export function readStanding(
  path: string,
  content: string | Buffer,
  options: FileOptions = {},
): StandingResult {
  const spec = specFor(path);
  assert.ok(spec.kind === 'standing');
  const document = { bytes: Buffer.from(content), settled: options.settled ?? true };
  return spec.read(document, contextFor(path, options));
}

export function entriesOf(path: string, content: string | Buffer): readonly StandingEntry[] {
  const result = readStanding(path, content);
  assert.ok(result.kind === 'entries', result.kind);
  return result.entries;
}

export function subjectsOf(path: string, content: string | Buffer): string[] {
  return entriesOf(path, content).map(({ subject }) => subject);
}

function contextFor(path: string, { given }: FileOptions): FakeContext {
  return fakeContext(path, { project: () => PROJECT, ...given });
}
