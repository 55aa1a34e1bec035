import type { CaseResult } from './run-case.ts';

/** One line for a case, reasons indented below it. */
export function reportLines(result: CaseResult, verbose: boolean): string[] {
  const { name, status, reasons, warnings, rows, seconds, workDir } = result;
  const time = `(${seconds.toFixed(1)} s)`;
  return [
    status === 'passed'
      ? `ok ${name} warm cold ${time}`
      : `${status === 'failed' ? 'FAIL' : 'skip'} ${name} ${time}`,
    ...reasons.flatMap((reason) => indented(reason)),
    ...warnings.flatMap((warning) => indented(`warning: ${warning}`)),
    ...(verbose ? rows.flatMap((counts) => indented(`rows: ${counts}`)) : []),
    ...(workDir === undefined ? [] : indented(`kept: ${workDir}`)),
  ];
}

export function summaryLine(results: readonly CaseResult[]): string {
  const count = (status: CaseResult['status']) => results.filter((result) => result.status === status).length;
  const skipped = count('skipped');
  return `${count('passed')} passed, ${count('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `    ${line}`);
}
