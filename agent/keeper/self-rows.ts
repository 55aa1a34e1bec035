import { type HostContext, RowWriter } from '../capture/row-writer.ts';
import { type Clock, isoTime } from '../contract/clock.ts';
import type { Commit } from '../contract/commit.ts';
import type { EventName } from '../contract/events.ts';
import { type Attributes, type Lane, SELF } from '../contract/row.ts';

/** Something that Holdfast says about itself. */
export interface SelfEvent {
  /** Dotted name, "holdfast.heartbeat". */
  readonly event: EventName;
  readonly text: string;
  readonly attributes: Attributes;
  /** What makes this one different from others of its name: a time, a file. */
  readonly occasion: string;
  readonly lane: Lane;
}

/** Rows about Holdfast itself. Their identity holds the host: the same second may be told by many. */
export function createSelfRows(host: HostContext, clock: Clock): (event: SelfEvent) => Commit {
  const writer = new RowWriter(host);
  return ({ event, text, attributes, occasion, lane }) => {
    const now = isoTime(clock.now());
    writer.add(
      {
        record: event,
        part: occasion,
        sessionKey: host.id,
        content: '',
        turn_type: 'system',
        event,
        text,
        attributes,
        timestamp_utc: now,
        timestamp_source: 'record',
      },
      { agent: SELF, sourceFile: null, role: 'primary', backfill: false, user: null },
      now,
    );
    return { lane, file: null, cursor: undefined, rows: writer.take() };
  };
}

export interface QuarantineFacts {
  readonly home: string;
  readonly file: string;
  readonly reason: string;
  /** When this quarantine began: tries in between are part of it. Milliseconds since 1970. */
  readonly since: number;
}

/** A file that ends capture processes is not read for a while: whoever relies on its rows must know. */
export function quarantinedEvent({ home, file, reason, since }: QuarantineFacts): SelfEvent {
  return {
    event: 'source.quarantined',
    text: `source file set aside: reading ${file} ended the capture process again and again (${reason})`,
    attributes: { home, file, reason },
    occasion: `${home} ${file} ${since}`,
    lane: 'live',
  };
}
