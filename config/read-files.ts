import { join } from 'node:path';
import type { ConfigIssue } from '../agent/contract/errors.ts';
import { accessProblem, fileIssue, fileLayer, type Trust, unreadableIssue } from './file-layer.ts';
import { type ConfigFiles, diskFiles } from './files.ts';
import type { LayerResult } from './layer.ts';

/** Which files make up the configuration, and who may have written them. */
export interface FileOptions {
  /** The main file; null for none. */
  readonly file: string | null;
  /** Folder whose *.yaml files are laid over the main file in the order of their names; null for none. */
  readonly confDir: string | null;
  /** True when the user named the file: it is then an error that it does not exist. */
  readonly mustExist?: boolean;
  /** Refuses files that someone else can write. POSIX only: modes mean nothing on Windows. */
  readonly requirePrivate?: boolean;
  /** User ids that may own the files when requirePrivate is set. */
  readonly owners?: readonly number[];
  readonly files?: ConfigFiles;
}

/** What the files gave, lowest layer first. */
export interface FilesRead {
  readonly results: LayerResult[];
  readonly issues: ConfigIssue[];
  readonly warnings: ConfigIssue[];
}

export function readFiles({
  file,
  confDir,
  mustExist,
  requirePrivate = false,
  owners,
  files = diskFiles,
}: FileOptions): FilesRead {
  const trust: Trust = { requirePrivate, owners };
  const folder = readFolder(confDir, files, trust);
  const read: FilesRead = { results: [], issues: [], warnings: folder.warnings };
  if (file !== null && !addFile(file, { files, trust, read }) && mustExist === true) {
    read.issues.push(fileIssue(file, 'does not exist'));
  }
  read.issues.push(...folder.issues);
  for (const path of folder.paths) addFile(path, { files, trust, read });
  return read;
}

/** False when there is no such file. */
function addFile(
  path: string,
  { files, trust, read }: { files: ConfigFiles; trust: Trust; read: FilesRead },
): boolean {
  try {
    const file = files.read(path);
    if (file) read.results.push(fileLayer(path, file, trust));
    return file !== undefined;
  } catch (error) {
    read.results.push({ issues: [unreadableIssue(path, error)] });
    return true;
  }
}

function readFolder(confDir: string | null, files: ConfigFiles, trust: Trust) {
  const found = { paths: [] as string[], issues: [] as ConfigIssue[], warnings: [] as ConfigIssue[] };
  if (confDir === null) return found;
  try {
    const folder = files.list(confDir);
    const problem = folder && accessProblem(folder, trust);
    if (problem !== undefined) found.issues.push(fileIssue(confDir, problem));
    for (const name of folder?.names.toSorted(byCodeUnit) ?? []) {
      if (name.startsWith('.')) continue;
      if (name.endsWith('.yaml')) found.paths.push(join(confDir, name));
      else
        found.warnings.push(fileIssue(join(confDir, name), 'is not read: only names that end in .yaml are'));
    }
  } catch (error) {
    found.issues.push(unreadableIssue(confDir, error));
  }
  return found;
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
