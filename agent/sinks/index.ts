import type { Sink } from '../contract/sink.ts';
import type { SinkConfig } from './config.ts';
import type { SinkDeps } from './deps.ts';
import { createElasticsearchSink } from './elasticsearch/sink.ts';
import { createFileSink } from './file/sink.ts';
import { createHttpSink } from './http/sink.ts';
import { createOtlpSink } from './otlp/sink.ts';
import { createSplunkHecSink } from './splunk-hec/sink.ts';

/** Every kind of sink there is. A new one is a folder and a line here. */
const FACTORIES: { readonly [Type in SinkConfig['type']]: SinkFactory<Type> } = {
  http: createHttpSink,
  otlp: createOtlpSink,
  splunk_hec: createSplunkHecSink,
  elasticsearch: createElasticsearchSink,
  file: createFileSink,
};

type SinkFactory<Type> = (config: Extract<SinkConfig, { type: Type }>, deps: SinkDeps) => Sink;

/** Throws when the settings themselves rule the sink out; nothing is opened or connected yet. */
export function createSink(config: SinkConfig, deps: SinkDeps): Sink {
  const factory = FACTORIES[config.type] as SinkFactory<SinkConfig['type']>;
  return factory(config, deps);
}
