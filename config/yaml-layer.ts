import { type Document, LineCounter, parseDocument, type YAMLError } from 'yaml';
import type { ConfigIssue } from '../agent/contract/errors.ts';
import { type Layer, type LayerResult, type Position, START } from './layer.ts';
import { type Path, pathKey } from './walk.ts';
import { PlainError, plainValue } from './yaml-plain.ts';

/** One mistake in the layout often causes a tail of others that help nobody. */
const MAX_SYNTAX_ISSUES = 10;

/** Messages of our own where the parser's quote the file or assume its API. */
const SYNTAX_MESSAGES: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key was already given in the same map',
  MULTIPLE_DOCS: "a second document starts here; use one document a file (remove '---')",
  UNEXPECTED_TOKEN: 'this text was not expected here; check the indentation and the quotes',
  TAB_AS_INDENT: 'a tab cannot indent; use spaces',
  TAG_RESOLVE_FAILED: 'tags (!name) are not supported',
  RESOURCE_EXHAUSTION: 'nested too deeply',
};

/** Parses one file or one variable. `place` names it in messages. */
export function yamlLayer(text: string, place: { file: string; variable?: string }): LayerResult {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) return { issues: syntaxIssues(problems, lines, place.file) };
  try {
    return { layer: layerOf(document, lines, place) };
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    return {
      issues: [{ file: place.file, ...positionOf(lines, error.offset), path: '', message: error.message }],
    };
  }
}

function layerOf(
  document: Document.Parsed,
  lines: LineCounter,
  place: { file: string; variable?: string },
): Layer {
  const offsets = new Map<string, number>();
  const value = plainValue(document, (path, offset) => offsets.set(pathKey(path), offset));
  if (place.variable === undefined && (typeof value !== 'object' || Array.isArray(value))) {
    throw new PlainError('the file must be a map of keys', document.contents?.range[0] ?? 0);
  }
  return { ...place, value, position: (path) => nearestPosition(path, offsets, lines) };
}

function nearestPosition(path: Path, offsets: ReadonlyMap<string, number>, lines: LineCounter): Position {
  for (let length = path.length; length > 0; length--) {
    const offset = offsets.get(pathKey(path.slice(0, length)));
    if (offset !== undefined) return positionOf(lines, offset);
  }
  return START;
}

function syntaxIssues(problems: readonly YAMLError[], lines: LineCounter, file: string): ConfigIssue[] {
  const deep = problems.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  const shown = deep ? [deep] : problems.slice(0, MAX_SYNTAX_ISSUES);
  return shown.map(({ code, message, pos }) => ({
    file,
    ...positionOf(lines, pos[0]),
    path: '',
    message: SYNTAX_MESSAGES[code] ?? message,
  }));
}

function positionOf(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return line === 0 ? START : { line, column: col };
}
