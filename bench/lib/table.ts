type Row = readonly string[];

/** Columns of text, the first to the left and all others to the right. */
export function formatTable(head: Row, rows: readonly Row[]): string {
  const widths = widthsOf([head, ...rows]);
  const line = (row: Row) => padded(row, widths).join('  ').trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** The same as a Markdown table, set as the formatter sets it. */
export function markdownTable(head: Row, rows: readonly Row[]): string {
  const all = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = widthsOf([...all, RULE]);
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  const [first, ...rest] = all.map((row) => padded(row, widths));
  return [first ?? [], rule, ...rest].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** No column of a Markdown table is narrower than its rule. */
const RULE: Row = ['---', ...Array.from({ length: 20 }, () => '--:')];

function widthsOf(rows: readonly Row[]): number[] {
  return (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
}

function padded(row: Row, widths: readonly number[]): string[] {
  return widths.map((width, column) => {
    const cell = row[column] ?? '';
    return column === 0 ? cell.padEnd(width) : cell.padStart(width);
  });
}

/** Three significant digits, or none behind the point for large numbers. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size >= 1000) return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
  if (size >= 100 || Number.isInteger(value)) return String(Math.round(value));
  return size >= 0.1 ? value.toPrecision(3) : value.toPrecision(2);
}
