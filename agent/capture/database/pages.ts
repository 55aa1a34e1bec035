import type { OpenedFile } from '../open-file.ts';
import type { DatabaseHeader } from './header.ts';
import { Malformed } from './malformed.ts';

/** Pages of a database as of one commit, numbered from 1. */
export interface Pages {
  readonly header: DatabaseHeader;
  readonly count: number;
  /** One page; the buffer is the caller's until the next call of either. */
  page(number: number): Buffer;
  /** This page and, where they lie behind it in the file, as many further ones as there are up to `most`. */
  run(number: number, most: number): Buffer;
}

/** Where the newest committed version of a page lies, when not in the database file. */
export interface Overlay {
  /** Pages of the database as the commit left it. */
  readonly count: number;
  find(page: number): { readonly file: OpenedFile; readonly position: number } | undefined;
}

/** At once from the file: large enough that a value of tens of megabytes takes a hundred reads, not ten thousand. */
const RUN_BYTES = 256 * 1024;
const scratch = Buffer.allocUnsafeSlow(RUN_BYTES);

export function createPages(file: OpenedFile, header: DatabaseHeader, overlay: Overlay | undefined): Pages {
  const { pageBytes } = header;
  const count = overlay?.count ?? Math.floor(file.facts.size / pageBytes);

  function read(number: number, pages: number): Buffer {
    if (number < 1 || number > count) throw new Malformed('a page outside the database', number);
    const target = scratch.subarray(0, pages * pageBytes);
    const place = overlay?.find(number) ?? { file, position: (number - 1) * pageBytes };
    const filled = place.file.readInto(target, place.position);
    if (filled < pageBytes) throw new Malformed('a page behind the end of the file', number);
    return target.subarray(0, filled - (filled % pageBytes));
  }

  function runLength(number: number, most: number): number {
    const limit = Math.min(most, Math.floor(RUN_BYTES / pageBytes), count - number + 1);
    if (!overlay) return Math.max(1, limit);
    if (overlay.find(number)) return 1;
    let length = 1;
    while (length < limit && !overlay.find(number + length)) length++;
    return length;
  }

  return {
    header,
    count,
    page: (number) => read(number, 1),
    run: (number, most) => read(number, runLength(number, most)),
  };
}
