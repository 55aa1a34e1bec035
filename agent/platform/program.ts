import { constants, setPriority } from 'node:os';
import program from '../../package.json' with { type: 'json' };

export const VERSION: string = program.version;

/** Lets the keeper end in order on the usual signals; a second one ends it at once. */
export function onStopSignal(stop: (signal: string) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(signal));
}

export function onReloadSignal(reload: () => void): void {
  if (process.platform !== 'win32') process.on('SIGHUP', reload);
}

/** What no component caught is a bug: it is told, and the process ends so that its supervisor starts it again. */
export function onCrash(tell: (error: unknown) => void): void {
  process.on('uncaughtException', (error) => tell(error));
  process.on('unhandledRejection', (error) => tell(error));
}

export function ownUid(): number | undefined {
  return process.getuid?.();
}

export function ownPid(): number {
  return process.pid;
}

export function residentBytes(): number {
  return process.memoryUsage.rss();
}

export function exit(code: number): never {
  process.exit(code);
}

/** Node versions this program runs on; npm brings the right one (tools/runtime). */
export function nodeProblem(version = process.versions.node): string | undefined {
  const major = Number(version.split('.')[0]);
  return major >= 24 ? undefined : `Holdfast needs Node 24 and runs on ${version}`;
}

/** Lets other programs go first where all want the processor at once. Where that is not allowed, all stays as it is. */
export function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    return;
  }
}

export function setTitle(title: string): void {
  process.title = title;
}
