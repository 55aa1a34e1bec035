import { join } from 'node:path';

/** link: another name of the very same file. copy: what it held when it was taken, sharing its blocks or not. */
export type PinKind = 'link' | 'copy';

/** Which file stood under a name, as decimal strings (they exceed 2^53). */
export interface FileIdentity {
  readonly dev: string;
  readonly ino: string;
  readonly birthNs: string;
}

export interface PinName extends FileIdentity {
  /** Name of the source file in rows and cursors. */
  readonly key: string;
  readonly kind: PinKind;
}

/** What separates the parts of a pin's name, or names something else to a file system. */
const ESCAPED = /[%:~\\]|^\.+$/g;
const FORM = /^(.+)~(\d+)-(\d+)-(\d+)\.(link|copy)$/;

/** Where a pin lies below its vault: the place of its source file, so that people see what is kept. */
export function pinPath({ key, dev, ino, birthNs, kind }: PinName): string {
  return `${placeOf(key)}~${dev}-${ino}-${birthNs}.${kind}`;
}

/** The pin that a path below the vault names; undefined for anything else that lies there. */
export function parsePinPath(segments: readonly string[]): PinName | undefined {
  const [, name, dev, ino, birthNs, kind] = FORM.exec(segments.at(-1) ?? '') ?? [];
  if (name === undefined || !dev || !ino || !birthNs) return undefined;
  const key = [...segments.slice(0, -1), name].map(unescaped).join('/');
  return { key, dev, ino, birthNs, kind: kind as PinKind };
}

function placeOf(key: string): string {
  return join(...key.split('/').map((segment) => (segment === '' ? '%' : escaped(segment))));
}

function escaped(segment: string): string {
  return segment.replace(ESCAPED, (chars) =>
    [...chars].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
  );
}

function unescaped(segment: string): string {
  if (segment === '%') return '';
  return segment.replace(/%([0-9a-f]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
