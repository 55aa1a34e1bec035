const LINE_FEED = 0x0a;

/** Every line of an NDJSON buffer, without its line feed. */
export function* linesOf(ndjson: Buffer): Generator<Buffer> {
  let start = 0;
  for (let end = ndjson.indexOf(LINE_FEED); end !== -1; end = ndjson.indexOf(LINE_FEED, start)) {
    yield ndjson.subarray(start, end);
    start = end + 1;
  }
}
