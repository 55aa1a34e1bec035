import { InvalidArgumentError } from 'commander';

export const SCAN_FORMATS = ['text', 'jsonl', 'csv'] as const;
export type ScanFormat = (typeof SCAN_FORMATS)[number];

export function checkFormat(format: string): ScanFormat {
  const known = SCAN_FORMATS.find((name) => name === format);
  if (known === undefined) throw new InvalidArgumentError(`It must be one of ${SCAN_FORMATS.join(', ')}.`);
  return known;
}
