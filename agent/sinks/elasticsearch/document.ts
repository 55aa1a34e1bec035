import { type Row, SELF } from '../../contract/row.ts';
import type { BatchOrigin } from '../../contract/sink.ts';
import { type Contents, genAiContents, genAiFacts } from '../gen-ai.ts';
import { classOf } from './event-class.ts';

export interface DocumentOptions {
  readonly version: string;
  readonly origin: BatchOrigin;
  readonly genAiContent: boolean;
}

/** Fields in dotted form; what is null or undefined is left out. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * The Elastic Common Schema's fields of a row, as JSON without its closing brace: the row itself follows under
 * `holdfast`. Version 9 of the schema is the first with gen_ai; gen_ai.conversation.id is OpenTelemetry's.
 */
export function ecsJsonOf(row: Row, { version, origin, genAiContent }: DocumentOptions): string {
  const { kind, category, type, outcome } = classOf(row);
  const fields: Fields = {
    '@timestamp': row.timestamp_utc ?? row.observed_at,
    'ecs.version': '9.0.0',
    'event.kind': kind,
    'event.category': category,
    'event.type': type,
    'event.action': row.event ?? row.turn_type,
    'event.outcome': outcome,
    'event.id': row.row_id,
    'event.sequence': row.seq,
    'event.created': row.observed_at,
    'event.module': 'holdfast',
    'event.dataset': 'holdfast.rows',
    'event.provider': row.agent,
    'agent.type': SELF,
    'agent.id': origin.hostId,
    'agent.ephemeral_id': origin.epoch,
    'agent.version': version,
    'host.id': row.host_id,
    'host.name': row.host_name,
    'user.name': row.os_user,
    'related.hosts': [row.host_name],
    'related.user': row.os_user === null ? null : [row.os_user],
    'log.file.path': row.source_file,
    'log.origin.file.line': row.source_line,
    ...genAiFacts(row),
    ...(genAiContent && indexable(genAiContents(row))),
    labels: labelsOf(row),
  };
  return JSON.stringify(nested(fields)).slice(0, -1);
}

/** A field is a map in every document or in none: arguments that are text after all stay in the row's text. */
function indexable(contents: Contents): Contents {
  const { 'gen_ai.tool.call.arguments': args, ...others } = contents;
  return typeof args === 'object' ? contents : others;
}

/** Dots in the names of labels would make maps of them, which then collide with labels of shorter names. */
function labelsOf({ labels }: Row): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(labels);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([name, value]) => [name.replaceAll('.', '_'), value]));
}

interface Tree {
  [name: string]: unknown;
}

/** `{"a.b": 1, "a.c": 2}` as `{"a": {"b": 1, "c": 2}}`. */
function nested(fields: Fields): Tree {
  const tree: Tree = {};
  for (const [path, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue;
    const names = path.split('.');
    const last = names.pop() ?? '';
    let place = tree;
    for (const name of names) {
      place[name] ??= {};
      place = place[name] as Tree;
    }
    place[last] = value;
  }
  return tree;
}
