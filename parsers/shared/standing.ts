import { hash } from 'node:crypto';
import type { EventName } from '../../agent/contract/events.ts';
import type { Attributes, DraftRow } from '../../agent/contract/row.ts';
import type {
  Document,
  ParseContext,
  StandingEntry,
  StandingResult,
  StandingSpec,
} from '../../agent/contract/source.ts';
import { plainUtf8 } from './byte-mark.ts';
import { asObject, type JsonObject } from './fields.ts';
import { parseJsonc } from './jsonc.ts';
import { structureRefusal } from './structure.ts';
import { cleanText } from './text.ts';
import { toUtc } from './time.ts';
import { MAX_YAML_BYTES, parseYaml } from './yaml.ts';

/** What an entry is called: the label and event of its row. */
export interface EntryKind {
  readonly label: string;
  readonly event: EventName;
}

export const PERMISSION = { label: 'permission setting', event: 'permission.setting' } satisfies EntryKind;
export const RETENTION = { label: 'session retention', event: 'retention.setting' } satisfies EntryKind;
export const MODEL = { label: 'model setting', event: 'model.setting' } satisfies EntryKind;
export const TELEMETRY = { label: 'telemetry setting', event: 'telemetry.setting' } satisfies EntryKind;

/** A setting or grant as its file has it. */
interface EntryFacts {
  readonly key: string;
  readonly value: string;
  /** As the row's text names it; `key=value` when left out. */
  readonly subject?: string;
  readonly project?: string;
  readonly attributes?: Attributes;
}

export function entryOf(kind: EntryKind, facts: EntryFacts): StandingEntry {
  const { key, value, subject = `${key}=${value}`, project, attributes = {} } = facts;
  return {
    ...kind,
    key: cleanText(key),
    value: cleanText(value),
    subject: cleanText(subject),
    ...(project !== undefined && { project: cleanText(project) }),
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([name, fact]) => [
        name,
        typeof fact === 'string' ? cleanText(fact) : fact,
      ]),
    ),
  };
}

/** A value as it is recorded: text as it is, anything else as compact JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '-');
}

/**
 * Reader of a standing file that is one JSON object, comments and trailing commas allowed. Cut or broken text is
 * torn until it is settled and then unreadable: it never counts as an object without entries. `what` is how a row about
 * that calls the file, where its path is not what analysts search for.
 */
export function jsonObjectReader(
  read: (object: JsonObject, context: ParseContext) => readonly StandingEntry[],
  what?: string,
): StandingSpec['read'] {
  return objectReader(parseJson, read, what);
}

/** The same for a file in YAML. A cut at a line end is whole YAML with fewer entries; one elsewhere can be seen. */
export function yamlObjectReader(
  read: (object: JsonObject, context: ParseContext) => readonly StandingEntry[],
): StandingSpec['read'] {
  const whole = objectReader(parseYamlFile, read);
  return (given, context) => {
    const mayBeCut = !given.settled && given.bytes.at(-1) !== 0x0a;
    return mayBeCut ? { kind: 'torn' } : whole(given, context);
  };
}

function objectReader(
  parse: (document: Document) => Parsed,
  read: (object: JsonObject, context: ParseContext) => readonly StandingEntry[],
  what?: string,
): StandingSpec['read'] {
  return (given, context) => {
    const document = { ...given, bytes: plainUtf8(given.bytes) };
    const file = cleanText(`${context.root}/${context.path}`);
    const parsed = parse(document);
    if (parsed.kind === 'broken')
      return document.settled ? refused(document, context, { file, what, ...parsed }) : { kind: 'torn' };
    const object = asObject(parsed.value);
    if (!object) return refused(document, context, { file, what, reason: 'another kind of value' });
    try {
      return entriesOf(read(object, context));
    } catch {
      return refused(document, context, { file, what, reason: 'nested too deeply' });
    }
  };
}

/** Each key once, the last entry under it, as programs read a key that stands twice. */
function entriesOf(list: readonly StandingEntry[]): StandingResult {
  return { kind: 'entries', entries: [...new Map(list.map((entry) => [entry.key, entry])).values()] };
}

type Parsed =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'broken'; readonly reason: string };

function parseJson({ bytes }: Document): Parsed {
  const refusal = structureRefusal(bytes);
  if (refusal !== undefined) return { kind: 'broken', reason: refusal };
  try {
    return { kind: 'value', value: parseJsonc(bytes.toString('utf8')) };
  } catch {
    return { kind: 'broken', reason: bytes.length === 0 ? 'empty' : 'not valid JSON' };
  }
}

function parseYamlFile({ bytes }: Document): Parsed {
  if (bytes.length > MAX_YAML_BYTES) return { kind: 'broken', reason: 'too long' };
  try {
    return { kind: 'value', value: parseYaml(bytes.toString('utf8')) ?? {} };
  } catch {
    return { kind: 'broken', reason: 'not valid YAML' };
  }
}

/** The row never quotes the file: it may hold secrets. */
function refused(
  { bytes }: Document,
  context: ParseContext,
  {
    file,
    what,
    reason,
  }: { readonly file: string; readonly what: string | undefined; readonly reason: string },
): StandingResult {
  const utc = toUtc(context.fileTime());
  const row: DraftRow = {
    record: `standing:${file}`,
    part: 'parser.error',
    content: hash('sha256', bytes, 'hex'),
    turn_type: 'system',
    event: 'parser.error',
    text: `parser: ${what ?? file} is not ${file.endsWith('json') ? 'a JSON object' : 'an object of settings'}`,
    timestamp_utc: utc,
    timestamp_source: utc === null ? 'none' : 'file',
    attributes: { reason, bytes: bytes.length },
    source_line: 1,
  };
  return { kind: 'unreadable', rows: [row] };
}
