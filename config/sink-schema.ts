import { z } from 'zod';
import { expecting, key } from './key.ts';
import { checkAuthHeader, checkConnection, checkHecToken } from './sink-checks.ts';
import { common, connection, genAiContent, gzip, token, url } from './sink-keys.ts';
import { ALWAYS, absolutePath, GIB, KIB, MIB, whole } from './values.ts';

const httpSink = z
  .strictObject({
    ...common('http'),
    url: url('Address that takes batches.', 'https://collector.example.com/v1/rows'),
    compression: key(z.enum(['gzip', 'zstd', 'none']).default('gzip'), {
      doc: 'Compression of request bodies. The collector must understand it.',
    }),
    ...token('the bearer token', 'collector-token'),
    ...connection(),
  })
  .superRefine(checkConnection, ALWAYS);

const otlpSink = z
  .strictObject({
    ...common('otlp'),
    url: url(
      'Address of an OTLP receiver over HTTP; /v1/logs is added when it does not end with it.',
      'https://otel.example.com:4318',
    ),
    compression: gzip(),
    auth: key(z.enum(['bearer', 'basic', 'header']).default('bearer'), {
      doc: 'How the token goes into a request: as a bearer token, as user:password, or as it is.',
    }),
    auth_header: key(
      expecting('the name of a header', z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/))
        .nullable()
        .default(null),
      { doc: 'Header that carries the token as it is, with auth: header; null means Authorization.' },
    ),
    ...token('the token', 'otlp-token'),
    accept_empty: key(z.boolean().default(false), {
      doc: 'Takes a 2xx without a body for an acknowledgement, for receivers that do not answer as OTLP says. Any login page that answers so then counts as one.',
    }),
    gen_ai_content: genAiContent('the attributes gen_ai.input.messages and the like'),
    ...connection(),
  })
  .superRefine(checkConnection, ALWAYS)
  .superRefine(checkAuthHeader, ALWAYS);

const splunkHecSink = z
  .strictObject({
    ...common('splunk_hec'),
    url: url(
      'Address of an HTTP event collector; /services/collector/event is added when it does not end with it.',
      'https://splunk.example.com:8088',
    ),
    compression: gzip(),
    ...token('the token of the event collector', 'hec-token'),
    index: key(
      expecting(
        'the name of an index (lower-case letters, digits, _ and -)',
        z.string().regex(/^[a-z0-9_][a-z0-9_-]{0,79}$/),
      )
        .nullable()
        .default(null),
      { doc: 'Index for the events; null leaves it to the token.' },
    ),
    sourcetype: key(z.string().min(1).max(256).default('holdfast:row'), {
      doc: 'Source type of the events.',
    }),
    indexed_fields: key(z.boolean().default(true), {
      doc: 'Sends ids, agent, turn type, event, user and epoch also as indexed fields (holdfast_row_id and so on).',
    }),
    ack: key(z.boolean().default(false), {
      doc: 'Waits until a batch is indexed before the next one is sent. Needs a token with indexer acknowledgement. Without it rows count as delivered once Splunk has taken them in, and an outage there can lose them.',
    }),
    ack_timeout_ms: key(whole(1000, 600_000).default(120_000), {
      doc: 'How long to wait for an acknowledgement until the batch is sent again.',
    }),
    ...connection(),
  })
  .superRefine(checkConnection, ALWAYS)
  .superRefine(checkHecToken, ALWAYS);

const elasticsearchSink = z
  .strictObject({
    ...common('elasticsearch'),
    url: url(
      'Address of Elasticsearch or OpenSearch; /_bulk is added when it does not end with it.',
      'https://elastic.example.com:9200',
    ),
    compression: gzip(),
    index: key(
      expecting(
        'the name of an index or data stream (lower-case letters, digits, ., _ and -)',
        z.string().regex(/^[a-z0-9][a-z0-9._-]{0,254}$/),
      ).default('holdfast-rows'),
      { doc: 'Index or data stream that rows go to.' },
    ),
    auth: key(z.enum(['api_key', 'bearer', 'basic']).default('api_key'), {
      doc: 'What the token is: an encoded API key, a bearer token, or user:password.',
    }),
    ...token('the API key, the bearer token or user:password', 'elastic-api-key'),
    gen_ai_content: genAiContent('the fields gen_ai.input.messages and the like'),
    ...connection(),
  })
  .superRefine(checkConnection, ALWAYS);

const fileSink = z.strictObject({
  ...common('file'),
  path: key(absolutePath(), {
    doc: 'File that rows are appended to, one JSON object a line.',
    example: '/var/log/holdfast/rows.jsonl',
  }),
  max_bytes: key(whole(64 * KIB, 64 * GIB).default(100 * MIB), {
    doc: 'Size at which the file is rotated.',
  }),
  max_files: key(whole(1, 1000).default(10), { doc: 'Rotated files that are kept.' }),
});

export const sinkSchema = z.discriminatedUnion('type', [
  httpSink,
  otlpSink,
  splunkHecSink,
  elasticsearchSink,
  fileSink,
]);
