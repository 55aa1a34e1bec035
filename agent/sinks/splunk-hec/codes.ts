/**
 * Codes of the HTTP event collector ("Troubleshoot HTTP Event Collector" in Splunk's manual), by what they mean
 * for the rows. A code that is not here is one that we do not know: nothing follows from it.
 */
type Meaning =
  | 'taken'
  /** One of the events is refused for what it is; `invalid-event-number` says which. */
  | 'bad_event'
  /** The token is not accepted, or not for this index. */
  | 'unauthorized'
  /** Not now, or not with these settings. */
  | 'retry';

const MEANINGS: ReadonlyMap<number, Meaning> = new Map([
  [0, 'taken'], // success
  [1, 'unauthorized'], // token disabled
  [2, 'unauthorized'], // token is required
  [3, 'unauthorized'], // invalid authorization
  [4, 'unauthorized'], // invalid token
  [5, 'retry'], // no data
  [6, 'bad_event'], // invalid data format
  [7, 'unauthorized'], // incorrect index
  [8, 'retry'], // internal server error
  [9, 'retry'], // server is busy
  [10, 'retry'], // data channel is missing
  [11, 'retry'], // invalid data channel
  [12, 'bad_event'], // event field is required
  [13, 'bad_event'], // event field cannot be blank
  [14, 'retry'], // ack is disabled
  [15, 'bad_event'], // error in handling indexed fields
  [16, 'unauthorized'], // query string authorization is not enabled
  [18, 'retry'], // queues are full
  [19, 'retry'], // ack service unavailable
  [20, 'retry'], // queues are full, ack service unavailable
  [21, 'unauthorized'], // invalid token, told by the health endpoint
  [22, 'unauthorized'], // token disabled, told by the health endpoint
  [23, 'retry'], // server is shutting down
  [24, 'taken'], // queue is approaching its capacity
  [25, 'taken'], // ack is approaching its capacity
  [26, 'retry'], // queue is at capacity
  [27, 'retry'], // ack channel is at capacity
]);

export const CODE = { noData: 5, ackDisabled: 14 } as const;

/** What an operator has to change, where the code alone would not tell. */
const HINTS: ReadonlyMap<number, string> = new Map([
  [7, 'the token may not write to this index'],
  [10, 'the token wants indexer acknowledgement, so ack must be true'],
  [14, 'the token has no indexer acknowledgement, so ack must be false'],
]);

export function meaningOf(code: number): Meaning | undefined {
  return MEANINGS.get(code);
}

export function hintFor(code: number): string {
  const hint = HINTS.get(code);
  return hint === undefined ? '' : `${hint}: `;
}
