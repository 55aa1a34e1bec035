/** Settings of a sink as config/ hands them over; null and absent both mean "not set". */
export type SinkConfig =
  | HttpSinkConfig
  | OtlpSinkConfig
  | SplunkHecSinkConfig
  | ElasticsearchSinkConfig
  | FileSinkConfig;

export interface BatchConfig {
  readonly maxRows: number;
  /** Bytes of row JSON before compression. */
  readonly maxBytes: number;
}

export type Compression = 'gzip' | 'zstd' | 'none';

/** What every sink that speaks HTTP needs to reach its other end. */
export interface HttpConnectionConfig {
  readonly url: string;
  readonly tokenFile?: string | null;
  readonly tokenEnv?: string | null;
  /** Trusted beside the authorities of Node and of the system. */
  readonly caFile?: string | null;
  readonly certFile?: string | null;
  readonly keyFile?: string | null;
  readonly proxy?: string | null;
  readonly proxyAuthFile?: string | null;
  readonly proxyAuthEnv?: string | null;
  readonly noProxy?: readonly string[];
  readonly timeoutMs: number;
  /** Lets plain http leave this machine. */
  readonly allowInsecure: boolean;
}

export interface HttpSinkConfig extends HttpConnectionConfig {
  readonly type: 'http';
  readonly id: string;
  readonly compression: Compression;
  readonly batch: BatchConfig;
}

/** What protocols of others have in common: gzip is the one compression that all of them take. */
interface GzipSinkConfig extends HttpConnectionConfig {
  readonly id: string;
  readonly compression: 'gzip' | 'none';
  readonly batch: BatchConfig;
}

export interface OtlpSinkConfig extends GzipSinkConfig {
  readonly type: 'otlp';
  /** How the token goes into a request; `header` sends it as it is in `authHeader`. */
  readonly auth: 'bearer' | 'basic' | 'header';
  readonly authHeader?: string | null;
  /** Takes a 2xx without a body for an acknowledgement. */
  readonly acceptEmpty: boolean;
  /** Repeats text in the attributes that the GenAI conventions have for content. */
  readonly genAiContent: boolean;
}

export interface SplunkHecSinkConfig extends GzipSinkConfig {
  readonly type: 'splunk_hec';
  readonly index?: string | null;
  readonly sourcetype: string;
  readonly indexedFields: boolean;
  /** Waits for the indexer acknowledgement of every batch. */
  readonly ack: boolean;
  readonly ackTimeoutMs: number;
}

export interface ElasticsearchSinkConfig extends GzipSinkConfig {
  readonly type: 'elasticsearch';
  /** Index or data stream. */
  readonly index: string;
  readonly auth: 'api_key' | 'bearer' | 'basic';
  /** Repeats text in the fields that ECS has for the content of a model call. */
  readonly genAiContent: boolean;
}

export interface FileSinkConfig {
  readonly type: 'file';
  readonly id: string;
  /** The file that is appended to. Its directory is made when missing. */
  readonly path: string;
  readonly maxBytes: number;
  /** Rotated files kept beside the one that is appended to. */
  readonly maxFiles: number;
  readonly batch: BatchConfig;
}
