/** A step's truth as a few lines for a person. */
import type { CallTruth, FileTruth, StepTruth } from './truth.ts';

export function linesOf(truth: StepTruth): string[] {
  return [
    headLine(truth),
    ...truth.calls.map(callLine),
    ...truth.commands.map(commandLine),
    ...fileLines(truth),
  ];
}

function headLine({ step, ms, runs, prompts, answers, thoughts, calls }: StepTruth): string {
  const ends = runs.map((run) => `${run.signal ?? run.code} in ${run.ms}`).join(', ');
  const counts = [
    `prompts ${recordedOf(prompts)}`,
    `answers ${recordedOf(answers)}`,
    `thoughts ${recordedOf(thoughts)}`,
    `calls ${calls.filter(({ recorded }) => recorded).length}/${calls.length}`,
  ];
  return `${step.padEnd(15)} ${String(ms).padStart(6)} ms  ${counts.join('  ')}  exit [${ends}]`;
}

/** Written down of all: "3/3". */
function recordedOf(said: readonly { readonly isRecorded: boolean }[]): string {
  return `${said.filter(({ isRecorded }) => isRecorded).length}/${said.length}`;
}

function callLine({ name, outcome, recorded, resultPart = '' }: CallTruth): string {
  const written = recorded ? `${recorded.status} ${recorded.id}` : 'never written';
  return `    call ${name}: ${outcome}; on disk ${written}; ${resultPart.slice(0, 60)}`;
}

function commandLine({ kind, text }: StepTruth['commands'][number]): string {
  return `    ${kind} ${text}`;
}

function fileLines({ files }: StepTruth): string[] {
  return files.map((file) => `    file ${file.path}: ${fate(file)}`);
}

function fate({ wasThereBefore, wasDeleted, readableMs, sessionId }: FileTruth): string {
  const born = wasThereBefore ? 'was there' : 'new';
  const end = wasDeleted ? `DELETED after ${readableMs} ms` : 'kept';
  return `${born}, ${end}${sessionId === null ? ', no header' : ''}`;
}
