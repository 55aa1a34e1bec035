import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parsePinPath } from '../capture/vault/pin-name.ts';
import { factsAt } from '../capture/vault/take.ts';
import { filesBelow } from '../capture/vault/vault.ts';
import { isoTime } from '../contract/clock.ts';
import { UsageError } from '../contract/errors.ts';
import { removeVaults, type VaultDir, vaultDirs } from '../platform/vault-dirs.ts';
import { createControlClient } from '../telemetry/control-client.ts';
import { type Context, type GlobalOptions, openContext } from './context.ts';
import { printJson, standardOutput, table } from './output.ts';

export interface VaultOptions extends GlobalOptions {
  readonly release?: boolean;
}

/** One pin as it is listed. */
interface Held {
  readonly home: string;
  readonly file: string;
  readonly kind: 'link' | 'copy';
  readonly bytes: number;
  /** Time of the last change of its bytes. */
  readonly changed: string;
  /** in place: the coding agent still has it. gone: only the vault holds it, until its rows are durable. */
  readonly source: 'in place' | 'gone';
}

/** `holdfast vault`: which files are pinned, and what each of them costs. */
export async function vault(options: VaultOptions): Promise<void> {
  const context = openContext(options);
  if (options.release === true) return release(context);
  const held = vaultDirs(context.stateDir).flatMap((dir) => [...heldIn(dir)]);
  const output = standardOutput();
  if (options.json === true) return printJson(output, held);
  const gone = held.filter(({ source }) => source === 'gone');
  for (const line of table([
    ['FILE', 'KIND', 'BYTES', 'LAST CHANGE (UTC)', 'SOURCE'],
    ...held.map(({ home, file, kind, bytes, changed, source }) => [
      file.startsWith('/') ? file : `${home}/${file}`,
      kind,
      String(bytes),
      changed.slice(0, 19).replace('T', ' '),
      source,
    ]),
  ]))
    await output.line(line);
  await output.line('');
  for (const line of explain(held.length, gone)) await output.line(line);
}

function explain(count: number, gone: readonly Held[]): string[] {
  const bytes = gone.reduce((sum, held) => sum + held.bytes, 0);
  return [
    `${count} pins. A link is a second name of a session file and takes no room while the file is in its place.`,
    `${gone.length} of them, ${bytes} bytes, are gone from their place: each is let go once all it held is safe.`,
    'capture.pin: false turns this off; holdfast vault --release lets everything go while Holdfast is stopped.',
  ];
}

function* heldIn({ home, dir }: VaultDir): Generator<Held> {
  for (const segments of filesBelow(dir, [])) {
    const name = parsePinPath(segments);
    const facts = name && factsAt(join(dir, ...segments));
    if (!facts) continue;
    const { key: file, kind } = name;
    const isThere = kind === 'link' ? facts.names > 1 : exists(home, file);
    yield {
      home,
      file,
      kind,
      bytes: facts.size,
      changed: isoTime(facts.mtimeMs),
      source: isThere ? 'in place' : 'gone',
    };
  }
}

function exists(home: string, file: string): boolean {
  return statSync(file.startsWith('/') ? file : join(home, file), { throwIfNoEntry: false }) !== undefined;
}

async function release({ stateDir, socket }: Context): Promise<void> {
  if (await isRunning(socket))
    throw new UsageError('AGENT_RUNS', 'Holdfast is running and would pin the files again', {
      hint: 'Stop it first, or set capture.pin: false.',
    });
  removeVaults(stateDir);
  await standardOutput().line('The vault is empty: no session file has a second name any more.');
}

async function isRunning(socket: string): Promise<boolean> {
  try {
    await createControlClient(socket).health();
    return true;
  } catch {
    return false;
  }
}
