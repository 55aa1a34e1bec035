/** What a success status says about the records. `rejected` counts records; which ones, OTLP does not tell. */
export type ExportAnswer =
  | { readonly kind: 'taken'; readonly rejected: number; readonly message: string }
  | { readonly kind: 'unclear'; readonly why: string };

const UNCLEAR = { kind: 'unclear', why: 'it is not the answer of an OTLP receiver' } as const;

/**
 * Reads ExportLogsServiceResponse in its JSON encoding: an empty object, or one with `partialSuccess`. Receivers
 * may add fields, so others beside it are ignored; an object of other fields alone is somebody else's.
 */
export function readExportAnswer(value: unknown, rows: number): ExportAnswer {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return UNCLEAR;
  const { partialSuccess } = value as { readonly partialSuccess?: unknown };
  if (partialSuccess === undefined || partialSuccess === null) {
    const isEmpty = Object.keys(value).every((name) => name === 'partialSuccess');
    return isEmpty ? { kind: 'taken', rejected: 0, message: '' } : UNCLEAR;
  }
  if (typeof partialSuccess !== 'object' || Array.isArray(partialSuccess)) return UNCLEAR;
  const { rejectedLogRecords, errorMessage } = partialSuccess as Readonly<Record<string, unknown>>;
  const rejected = countOf(rejectedLogRecords);
  if (rejected === undefined) return { kind: 'unclear', why: 'its count of rejected records is no count' };
  if (rejected > rows) return { kind: 'unclear', why: `it rejects ${rejected} records of ${rows}` };
  return { kind: 'taken', rejected, message: typeof errorMessage === 'string' ? errorMessage : '' };
}

/** 64-bit numbers are decimal text in this encoding, numbers are allowed too, and zero may be left out. */
function countOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return 0;
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** UNKNOWN, which receivers of Collectors before 2024 gave for everything, a full queue included. */
const UNKNOWN = 2;

/**
 * Whether a 500 is the receiver's word that the records are refused for good, which OTLP says every 500 is. The
 * Collector answers so for permanent errors of its pipeline, and 503 for all others (otlpreceiver v0.165.0,
 * measured); a gateway's 500 has no google.rpc.Status in it.
 */
export function isRefusal(status: number, value: unknown): boolean {
  const { code, message } = Object(value) as Readonly<Record<string, unknown>>;
  return status === 500 && typeof message === 'string' && code !== UNKNOWN;
}
