/** Settings of a sink as config/ hands them over; null and absent both mean "not set". */
export type SinkConfig = HttpSinkConfig | FileSinkConfig;

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
