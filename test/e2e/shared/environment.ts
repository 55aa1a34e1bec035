/** What the tests give a program to run in: variables from nothing, files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { dotPng } from './dot-png.ts';

export type Environment = Readonly<Record<string, string>>;

/** Built from nothing, so that neither keys, proxies nor settings of the caller reach the program. */
export function plainEnvironment(home: string): Environment {
  return {
    HOME: home,
    USERPROFILE: home,
    USER: 'alice',
    LOGNAME: 'alice',
    SHELL: '/bin/sh',
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    TMPDIR: temporaryFolder(home),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    NO_BROWSER: 'true',
  };
}

/** A small project folder; returns its absolute path. */
export function seedProject(home: string, project: string): string {
  const folder = join(home, project);
  writeDeep(join(folder, 'README.md'), `# ${basename(project)}\n`);
  writeDeep(join(folder, 'src', 'main.ts'), 'export const answer = 42;\n');
  writeDeep(join(folder, 'dot.png'), dotPng());
  return folder;
}

export function writeDeep(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Programs drop error reports here; inside the home, so that they go away with it. */
export function temporaryFolder(home: string): string {
  return join(home, '.temporary');
}
