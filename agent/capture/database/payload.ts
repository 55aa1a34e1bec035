import { Malformed } from './malformed.ts';
import type { Pages } from './pages.ts';
import type { TableCell } from './table-tree.ts';

/** The first `bytes` of a record, its overflow pages followed as far as needed. */
export function payloadOf(pages: Pages, cell: TableCell, bytes: number = cell.bytes): Buffer {
  if (bytes <= cell.local.length) return cell.local.subarray(0, bytes);
  const whole = Buffer.allocUnsafe(bytes);
  let filled = cell.local.copy(whole);
  followOverflow(pages, cell, (content) => {
    filled += content.copy(whole, filled);
    return filled < bytes;
  });
  if (filled < bytes) throw new Malformed('a record that ends too soon', cell.overflow);
  return whole;
}

/** A whole record, with the number of its last page; 0 when it stands on its leaf page. */
export function wholePayload(
  pages: Pages,
  cell: TableCell,
): { readonly payload: Buffer; readonly lastPage: number } {
  if (cell.bytes === cell.local.length) return { payload: cell.local, lastPage: 0 };
  const payload = Buffer.allocUnsafe(cell.bytes);
  let [filled, lastPage] = [cell.local.copy(payload), 0];
  followOverflow(pages, cell, (content, page) => {
    filled += content.copy(payload, filled);
    lastPage = page;
    return filled < cell.bytes;
  });
  if (filled < cell.bytes) throw new Malformed('a record that ends too soon', cell.overflow);
  return { payload, lastPage };
}

/** Bytes of a record that stand on its last page; 0 when it does not leave its leaf page. */
export function tailBytesOf(pages: Pages, { bytes, local }: TableCell): number {
  const perPage = pages.header.usableBytes - 4;
  const spilled = bytes - local.length;
  return spilled === 0 ? 0 : ((spilled - 1) % perPage) + 1;
}

/**
 * Hands out the content of the overflow pages in order until told to stop. Each page names the next one; they mostly
 * lie behind each other, so many are read at once and used as long as that proves true.
 */
function followOverflow(
  pages: Pages,
  cell: TableCell,
  take: (content: Buffer, page: number) => boolean,
): void {
  const { usableBytes, pageBytes } = pages.header;
  let left = Math.ceil((cell.bytes - cell.local.length) / (usableBytes - 4));
  for (let page = cell.overflow; left > 0; ) {
    if (page === 0) throw new Malformed('a record that ends too soon', cell.overflow);
    const run = pages.run(page, left);
    for (let at = 0, first = page; at < run.length && left > 0; at += pageBytes) {
      if (page !== first + at / pageBytes) break;
      left--;
      const next = run.readUInt32BE(at);
      if (!take(run.subarray(at + 4, at + usableBytes), page)) return;
      page = next;
    }
  }
}
