import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Clock } from '../agent/contract/clock.ts';
import { linesOf } from '../agent/contract/lines.ts';
import { type Budget, withBody } from './body.ts';
import type { CollectorLimits } from './options.ts';
import { jsonReply, Refusal, type Reply } from './reply.ts';
import { judgeLine } from './row-form.ts';
import type { CollectorStore, Sender, Stored } from './store.ts';
import { unpack } from './unpack.ts';

export interface IngestDeps {
  readonly store: CollectorStore;
  readonly limits: CollectorLimits;
  readonly budget: Budget;
  readonly clock: Clock;
  /** Runs one task after the other, so that unpacked bodies do not add up in memory. */
  readonly inTurn: <T>(task: () => Promise<T>) => Promise<T>;
  readonly onStored: (stored: Stored) => void;
}

interface Announced {
  readonly batch: string;
  readonly rows: number;
  readonly sender: Sender;
}

/** Takes a batch as docs/collector-protocol.md says. Everything is durable before the answer is made. */
export function ingest(request: IncomingMessage, deps: IngestDeps): Promise<Reply> {
  const announced = readHeaders(request.headers, deps.limits);
  const { maxBodyBytes: maxBytes } = deps.limits;
  return withBody(request, { maxBytes, budget: deps.budget }, (body) =>
    deps.inTurn(() => keep(body, request.headers['content-encoding'], { announced, deps })),
  );
}

async function keep(
  body: Buffer,
  encoding: string | undefined,
  { announced, deps }: { readonly announced: Announced; readonly deps: IngestDeps },
): Promise<Reply> {
  const { store, limits, clock, onStored } = deps;
  const lines = [...linesOf(endLine(await unpack(body, encoding, limits.maxUnpackedBytes)))];
  if (lines.length !== announced.rows) {
    throw new Refusal(400, `${announced.rows} rows were announced and ${lines.length} came`);
  }
  const verdicts = lines.map((line) => judgeLine(line, limits.maxRowBytes));
  const stored = store.ingest(announced.sender, verdicts, clock.now());
  onStored(stored);
  return jsonReply({ batch: announced.batch, ...stored });
}

/** The last line counts also when its line feed was left out. */
function endLine(body: Buffer): Buffer {
  return body.length === 0 || body.at(-1) === 0x0a ? body : Buffer.concat([body, Buffer.from('\n')]);
}

function readHeaders(headers: IncomingHttpHeaders, limits: CollectorLimits): Announced {
  if (!/^application\/(x-)?ndjson\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new Refusal(415, 'the content type must be application/x-ndjson');
  }
  const batch = header(headers, 'x-holdfast-batch', /^[0-9a-f]{32}$/);
  const host = header(headers, 'x-holdfast-host', NAME);
  const epoch = header(headers, 'x-holdfast-epoch', NAME);
  const rows = Number(header(headers, 'x-holdfast-rows', /^\d{1,9}$/));
  if (rows > limits.maxRows) throw new Refusal(413, `a batch may have ${limits.maxRows} rows`);
  return { batch, rows, sender: { host, epoch } };
}

const NAME = /^[\x21-\x7e]{1,128}$/;

function header(headers: IncomingHttpHeaders, name: string, form: RegExp): string {
  const value = headers[name];
  if (typeof value === 'string' && form.test(value)) return value;
  throw new Refusal(400, `the header ${name} is missing or has another form`);
}
