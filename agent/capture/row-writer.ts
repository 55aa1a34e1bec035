import { hash } from 'node:crypto';
import {
  CLAIM_BYTES,
  type CommitRows,
  claimBytesOf,
  NO_SESSION,
  type SessionFacts,
  turnIndex,
} from '../contract/commit.ts';
import type { EventName } from '../contract/events.ts';
import { type DraftRow, type Lane, ROW_SCHEMA, type Role, type TimestampSource } from '../contract/row.ts';
import { ROW_ID_BYTES, rowIdBytesOf, rowIdFromBytes } from '../contract/row-id.ts';
import { LineBuffer } from './line-buffer.ts';

/** What every row of one source file shares. */
export interface FileContext {
  readonly agent: string;
  readonly sourceFile: string | null;
  readonly role: Role;
  readonly backfill: boolean;
  readonly user: string | null;
}

/** What every row of one home shares. */
export interface HostContext {
  /** Path of the home; rows of Holdfast itself have none. */
  readonly home?: string;
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly maxTextBytes: number;
}

const NO_CLAIM = Buffer.alloc(CLAIM_BYTES);

/** Attribute values longer than this are cut: they are facts, not transcripts. */
const MAX_ATTRIBUTE_CHARS = 4_096;

/** Events that must reach the collector before everything else. */
const ALERT_EVENTS: ReadonlySet<EventName> = new Set(['permission.decision', 'permission.setting']);

export function laneOf(draft: DraftRow, backfill: boolean): Lane {
  if (backfill) return 'backfill';
  return draft.event && ALERT_EVENTS.has(draft.event) ? 'alert' : 'live';
}

/** Serialises rows into the columns of a commit. Each row is turned into JSON once, here, without its seq. */
export class RowWriter {
  readonly #host: HostContext;
  readonly #hostJson: string;
  readonly #labelsJson: string;
  #ids: Buffer[] = [];
  #turns: number[] = [];
  #sessionOf: number[] = [];
  readonly #lines = new LineBuffer();
  #sessions: Map<string, { index: number; facts: MutableFacts }> = new Map();
  #claims: Buffer[] = [];
  #copies: Buffer[] = [];

  constructor(host: HostContext) {
    this.#host = host;
    this.#hostJson = `"host_id":${json(host.id)},"host_name":${json(host.name)}`;
    this.#labelsJson = `"labels":${json(host.labels)}`;
  }

  get count(): number {
    return this.#ids.length;
  }

  /** Bytes of what is held, for the bound on one commit. */
  get bytes(): number {
    return this.#lines.length;
  }

  add(draft: DraftRow, file: FileContext, observedAt: string): void {
    const text = clean(draft.text);
    const session = draft.session_id == null ? null : clean(draft.session_id);
    const id = rowIdBytesOf({
      agent: file.agent,
      // What belongs to no session is a fact of this user on this machine.
      sessionKey: draft.sessionKey ?? session ?? `${this.#host.id} ${file.user ?? ''}`,
      record: draft.record,
      part: draft.part,
      content: draft.content === undefined || draft.content === draft.text ? text : clean(draft.content),
    });
    this.#lines.add(this.#serialise(draft, { id, text, session, file, observedAt }));
    this.#ids.push(id);
    this.#turns.push(turnIndex(draft.turn_type));
    this.#sessionOf.push(session === null ? NO_SESSION : this.#sessionIndex(session, draft, file));
    const writer = { home: this.#host.home ?? '', agent: file.agent };
    const claims = (draft.claims ?? []).map((name) => claimBytesOf(writer, clean(name)));
    if (draft.copyOf === undefined) this.#claims.push(...claims);
    else this.#copies.push(claimBytesOf(writer, clean(draft.copyOf)), claims[0] ?? NO_CLAIM);
  }

  /** Hands out what was collected and starts anew. */
  take(): CommitRows {
    const count = this.#ids.length;
    const sessionOf = Buffer.allocUnsafe(count * 2);
    for (const [row, session] of this.#sessionOf.entries()) sessionOf.writeUInt16LE(session, row * 2);
    const rows = {
      count,
      ids: Buffer.concat(this.#ids, count * ROW_ID_BYTES),
      sessionOf,
      turns: Buffer.from(this.#turns),
      lines: this.#lines.take(),
      sessions: [...this.#sessions.values()].map(({ facts }) => facts as SessionFacts),
      claims: Buffer.concat(this.#claims),
      copies: Buffer.concat(this.#copies),
    };
    this.#claims = [];
    this.#copies = [];
    this.#ids = [];
    this.#turns = [];
    this.#sessionOf = [];
    this.#sessions = new Map();
    return rows;
  }

  #serialise(
    draft: DraftRow,
    parts: { id: Buffer; text: string; session: string | null; file: FileContext; observedAt: string },
  ): string {
    const { id, text, session, file, observedAt } = parts;
    const cut = cutText(text, this.#host.maxTextBytes);
    const whole =
      cut === undefined ? '' : `"text_sha256":"${hash('sha256', text, 'hex')}","text_bytes":${cut.bytes},`;
    return (
      `{"row_id":"${rowIdFromBytes(id)}","schema":${ROW_SCHEMA},"agent":"${file.agent}",` +
      `"timestamp_utc":${unshared(draft.timestamp_utc)},"timestamp_source":"${timestampSource(draft)}",` +
      `"session_id":${field(session)},"project_path":${field(draft.project_path)},"git_branch":${field(draft.git_branch)},` +
      `"turn_type":"${draft.turn_type}","model":${field(draft.model)},` +
      `"tool_name":${field(draft.tool_name)},"tool_use_id":${unshared(draft.tool_use_id)},` +
      `"text":${json(cut?.text ?? text)},"event":${field(draft.event)},"attributes":${attributes(draft)},` +
      `"source_file":${field(file.sourceFile)},"source_line":${draft.source_line ?? 'null'},"role":"${file.role}",` +
      `"recovered":${draft.recovered === true || draft.copyOf !== undefined},"backfill":${file.backfill},${whole}"masked":{},` +
      `${this.#hostJson},"os_user":${field(file.user)},${this.#labelsJson},"observed_at":"${observedAt}"}\n`
    );
  }

  #sessionIndex(session: string, draft: DraftRow, file: FileContext): number {
    const key = `${file.agent} ${session}`;
    const known = this.#sessions.get(key);
    if (known) {
      widen(known.facts, draft);
      return known.index;
    }
    const index = this.#sessions.size;
    const facts: MutableFacts = {
      agent: file.agent,
      session,
      project: draft.project_path ?? null,
      user: file.user,
      first: null,
      last: null,
    };
    widen(facts, draft);
    this.#sessions.set(key, { index, facts });
    return index;
  }
}

type MutableFacts = { -readonly [Key in keyof SessionFacts]: SessionFacts[Key] };

function widen(facts: MutableFacts, draft: DraftRow): void {
  facts.project ??= draft.project_path ?? null;
  const at = draft.timestamp_utc;
  if (!at) return;
  if (facts.first === null || at < facts.first) facts.first = at;
  if (facts.last === null || at > facts.last) facts.last = at;
}

/** Text as a collector can take it: no U+0000, no half of a surrogate pair. */
function clean(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\u2400') : wellFormed;
}

/** Cuts at the limit, on a character boundary, and says so in the text; undefined when nothing is cut. */
function cutText(text: string, maxBytes: number): { text: string; bytes: number } | undefined {
  if (text.length * 3 <= maxBytes) return undefined;
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return undefined;
  const head = Buffer.from(text).subarray(0, maxBytes);
  let end = head.length;
  while (end > 0 && ((head[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  const lead = head[end - 1] ?? 0;
  const complete = lead < 0x80 || head.length - end === sequenceLength(lead) - 1;
  return {
    text: `${head.toString('utf8', 0, complete ? head.length : end - 1)}\n[cut: ${maxBytes} of ${bytes} bytes]`,
    bytes,
  };
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

function timestampSource(draft: DraftRow): TimestampSource {
  return draft.timestamp_source ?? (draft.timestamp_utc ? 'record' : 'none');
}

function attributes(draft: DraftRow): string {
  if (draft.attributes === undefined) return '{}';
  const flat: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(draft.attributes)) {
    flat[name] = attribute(value);
  }
  return json(flat);
}

/** JSON has no word for a number that is not finite, and null is no fact. */
function attribute(value: string | number | boolean): string | number | boolean {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean') return value;
  if (value.length <= MAX_ATTRIBUTE_CHARS) return clean(value);
  const splitsCharacter = /[\ud800-\udbff]/.test(value.charAt(MAX_ATTRIBUTE_CHARS - 1));
  return clean(value.slice(0, MAX_ATTRIBUTE_CHARS - (splitsCharacter ? 1 : 0)));
}

function unshared(value: string | null | undefined): string {
  return value == null ? 'null' : json(clean(value));
}

/** JSON of the short values that most rows share: session, project, model, tool. */
const shared = new Map<string, string>();
const MAX_SHARED = 2_000;
const MAX_SHARED_CHARS = 300;

function field(value: string | null | undefined): string {
  if (value == null) return 'null';
  const known = shared.get(value);
  if (known !== undefined) return known;
  const fresh = json(clean(value));
  if (value.length > MAX_SHARED_CHARS) return fresh;
  if (shared.size >= MAX_SHARED) shared.clear();
  shared.set(value, fresh);
  return fresh;
}

function json(value: unknown): string {
  return JSON.stringify(value);
}
