import { type ConfigIssue, errnoOf, messageOf } from '../agent/contract/errors.ts';
import { type Access, type ConfigFile, MAX_CONFIG_BYTES } from './files.ts';
import { type LayerResult, type Position, START } from './layer.ts';
import { yamlLayer } from './yaml-layer.ts';

/** Who may have written the configuration of a service. Left out: anyone. */
export interface Trust {
  readonly requirePrivate: boolean;
  /** User ids that may own the files; left out when the platform has none. */
  readonly owners?: readonly number[] | undefined;
}

const WRITABLE_BY_OTHERS = 0o022;

export function fileLayer(path: string, file: ConfigFile, trust: Trust): LayerResult {
  const problem = accessProblem(file, trust) ?? sizeProblem(file);
  if (problem !== undefined) return { issues: [fileIssue(path, problem)] };
  const decoded = decode(file.bytes);
  return typeof decoded === 'string'
    ? yamlLayer(decoded, { file: path })
    : { issues: [fileIssue(path, decoded.message, decoded.at)] };
}

/** Whoever can write this file decides where a service sends what it reads. */
export function accessProblem({ mode, uid }: Access, { requirePrivate, owners }: Trust): string | undefined {
  if (!requirePrivate) return undefined;
  if ((mode & WRITABLE_BY_OTHERS) !== 0) {
    const bits = (mode & 0o777).toString(8).padStart(4, '0');
    return `is writable by its group or by everyone (mode ${bits}); chmod go-w it`;
  }
  if (owners && !owners.includes(uid))
    return `belongs to user id ${uid}, which must not decide for this service; chown it`;
  return undefined;
}

export function unreadableIssue(path: string, error: unknown): ConfigIssue {
  return fileIssue(path, `cannot be read: ${errnoOf(error) ?? messageOf(error)}`);
}

export function fileIssue(path: string, message: string, at: Position = START): ConfigIssue {
  return { file: path, ...at, path: '', message };
}

function sizeProblem({ bytes }: ConfigFile): string | undefined {
  return bytes.length > MAX_CONFIG_BYTES ? `is larger than ${MAX_CONFIG_BYTES} bytes` : undefined;
}

function decode(bytes: Uint8Array): string | { readonly message: string; readonly at: Position } {
  if (isUtf16(bytes)) return { message: 'is UTF-16; save it as UTF-8', at: START };
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { message: 'is not valid UTF-8 here', at: firstInvalid(bytes) };
  }
}

/** A lossy decoding marks the first bad byte; the same mark written on purpose is three bytes long. */
function firstInvalid(bytes: Uint8Array): Position {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let at = text.indexOf('\uFFFD');
  while (at >= 0 && isWrittenMark(bytes, Buffer.byteLength(text.slice(0, at))))
    at = text.indexOf('\uFFFD', at + 1);
  const lines = text.slice(0, at).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function isWrittenMark(bytes: Uint8Array, offset: number): boolean {
  return bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd;
}

function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
