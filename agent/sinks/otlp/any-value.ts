/** AnyValue of the OTLP protocol in its JSON encoding (opentelemetry-proto, common/v1/common.proto). */
export type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  /** 64 bits as decimal digits, as the JSON encoding of Protocol Buffers wants them. */
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } }
  | { readonly kvlistValue: { readonly values: readonly KeyValue[] } }
  | Record<string, never>;

export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

/** Any JSON value of bounded depth. Null is the empty value. */
export function anyValue(value: unknown): AnyValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if (typeof value !== 'object' || value === null) return {};
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: keyValues(Object.entries(value)) } };
}

/** Pairs of names and JSON values; what is null or undefined is left out. */
export function keyValues(entries: Iterable<readonly [string, unknown]>): KeyValue[] {
  const values: KeyValue[] = [];
  for (const [key, value] of entries) {
    if (value !== null && value !== undefined) values.push({ key, value: anyValue(value) });
  }
  return values;
}
