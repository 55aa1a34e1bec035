import type { Rng } from '../rng.ts';
import { makeText, word } from '../text.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: readonly unknown[];
  readonly status: 'success' | 'error' | 'cancelled';
  readonly timestamp: string;
  readonly resultDisplay: unknown;
  readonly description: string;
  readonly displayName: string;
  readonly renderOutputAsMarkdown: boolean;
}

interface Tool {
  readonly name: string;
  readonly displayName: string;
  use(rng: Rng, file: string): { args: Record<string, unknown>; output: string; resultDisplay: unknown };
}

const TOOLS: readonly Tool[] = [
  { name: 'run_shell_command', displayName: 'Shell', use: runShell },
  { name: 'read_file', displayName: 'ReadFile', use: readFile },
  { name: 'replace', displayName: 'Edit', use: replace },
  { name: 'grep_search', displayName: 'SearchText', use: search },
];

/** A call with its result, as it is recorded once it has ended. */
export function toolCall(rng: Rng, ms: number, cwd: string): ToolCall {
  const tool = rng.pick(TOOLS);
  const file = `${cwd}/src/${word(rng)}/${word(rng)}-${rng.hex(3)}.ts`;
  const { args, output, resultDisplay } = tool.use(rng, file);
  const status = rng.chance(0.92) ? 'success' : rng.pick(['error', 'cancelled'] as const);
  const id = `${tool.name}__${tool.name}_${ms}_${rng.int(0, 99_999)}`;
  const response = status === 'success' ? { output } : { error: output.slice(0, 300) };
  return {
    id,
    name: tool.name,
    args,
    result: [{ functionResponse: { id, name: tool.name, response } }],
    status,
    timestamp: new Date(ms).toISOString(),
    resultDisplay,
    description: makeText(rng, 50),
    displayName: tool.displayName,
    renderOutputAsMarkdown: false,
  };
}

/** A call whose result has about the given number of characters. */
export function readCall(rng: Rng, ms: number, chars: number): ToolCall {
  const call = toolCall(rng, ms, '/home/alice/code/service');
  const id = `read_file__read_file_${ms}_0`;
  const output = makeText(rng, chars, 'code');
  const result = [{ functionResponse: { id, name: 'read_file', response: { output } } }];
  return {
    ...call,
    id,
    name: 'read_file',
    displayName: 'ReadFile',
    args: { file_path: 'a.ts' },
    result,
    status: 'success',
    resultDisplay: '',
  };
}

function runShell(rng: Rng) {
  const output = makeText(rng, rng.logInt(80, 20_000), 'code');
  const command = `npm run ${word(rng)} -- --filter "${word(rng)}" && git diff --stat`;
  return { args: { command, description: makeText(rng, 60) }, output, resultDisplay: output };
}

function readFile(rng: Rng, file: string) {
  return {
    args: { file_path: file },
    output: makeText(rng, rng.logInt(300, 30_000), 'code'),
    resultDisplay: '',
  };
}

function replace(rng: Rng, file: string) {
  const originalContent = makeText(rng, rng.logInt(300, 12_000), 'code');
  const added = makeText(rng, 200, 'code');
  const newContent = originalContent + added;
  return {
    args: { file_path: file, old_string: originalContent.slice(-80), new_string: added },
    output: `Successfully modified file: ${file} (1 replacements).`,
    resultDisplay: { fileDiff: `+${added}`, fileName: file, filePath: file, originalContent, newContent },
  };
}

function search(rng: Rng, file: string) {
  const output = makeText(rng, rng.logInt(60, 6_000), 'code');
  return {
    args: { pattern: word(rng), dir_path: file },
    output,
    resultDisplay: `Found ${rng.int(1, 90)} matches`,
  };
}
