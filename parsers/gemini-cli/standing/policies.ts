import { hash } from 'node:crypto';
import { parse, TomlError } from 'smol-toml';
import type { DraftRow } from '../../../agent/contract/row.ts';
import type {
  Document,
  ParseContext,
  StandingEntry,
  StandingResult,
  StandingSpec,
} from '../../../agent/contract/source.ts';
import { withoutMark } from '../../shared/byte-mark.ts';
import { asList, asObject, type JsonObject } from '../../shared/fields.ts';
import { projectFor, type Scope } from '../../shared/scope.ts';
import { cleanText } from '../../shared/text.ts';
import { fileName, fileTime } from '../secondary/place.ts';
import { ruleEntry } from './policy-rule.ts';

/**
 * Reader of `policies/*.toml`: rules that the user wrote, and in auto-saved.toml those that "Allow for all future
 * sessions" gave. Rules are compared as a whole and counted: the same one twice is two.
 */
export function policyReader(scope: Scope): StandingSpec['read'] {
  return (given, context) => {
    const document = { ...given, bytes: withoutMark(given.bytes) };
    if (!document.settled && mayBeCut(document.bytes)) return { kind: 'torn' };
    const parsed = parseToml(document);
    if (parsed.kind === 'broken' && !document.settled) return { kind: 'torn' };
    if (parsed.kind === 'broken') return unreadable(document, context, parsed.reason);
    try {
      return { kind: 'entries', entries: ruleEntries(parsed.table, scope, context) };
    } catch {
      return unreadable(document, context, 'nested too deeply');
    }
  };
}

/** A cut at a line end is a whole TOML document with fewer rules; one elsewhere can be seen. */
function mayBeCut(bytes: Buffer): boolean {
  return bytes.at(-1) !== 0x0a;
}

type Parsed =
  | { readonly kind: 'table'; readonly table: JsonObject }
  | { readonly kind: 'broken'; readonly reason: string };

/** More than any policy: the parser must not be kept busy by a file that is none. */
const MAX_BYTES = 4 * 1024 * 1024;

function parseToml({ bytes }: Document): Parsed {
  if (bytes.length > MAX_BYTES) return { kind: 'broken', reason: 'too long' };
  try {
    return {
      kind: 'table',
      table: parse(bytes.toString('utf8'), { integersAsBigInt: 'asNeeded', maxDepth: 100 }),
    };
  } catch (error) {
    return { kind: 'broken', reason: reasonOf(error) };
  }
}

/** Without the lines of the file that the message goes on with. */
function reasonOf(error: unknown): string {
  if (!(error instanceof TomlError)) return 'not valid TOML';
  const [message = ''] = error.message.split('\n', 1);
  return `${message.replace(/^Invalid TOML document: /, '')} (line ${error.line})`;
}

function ruleEntries(table: JsonObject, scope: Scope, context: ParseContext): StandingEntry[] {
  const project = projectFor(scope, context);
  const file = context.path.slice(context.path.lastIndexOf('/') + 1);
  const times = new Map<string, number>();
  return asList(table['rule']).flatMap((value) => {
    const rule = asObject(value);
    return rule ? [{ ...ruleEntry(rule, { file, scope, times }), ...project }] : [];
  });
}

/** The row never quotes the file. */
function unreadable({ bytes }: Document, context: ParseContext, reason: string): StandingResult {
  const file = fileName(context);
  const time = fileTime(context);
  const row: DraftRow = {
    record: `standing:${file}`,
    part: 'parser.error',
    content: hash('sha256', bytes, 'hex'),
    turn_type: 'system',
    event: 'parser.error',
    text: cleanText(`parser: unreadable ${file}: ${reason}`),
    timestamp_utc: time.utc,
    timestamp_source: time.source,
    attributes: { reason: cleanText(reason), bytes: bytes.length },
    source_line: 1,
  };
  return { kind: 'unreadable', rows: [row] };
}
