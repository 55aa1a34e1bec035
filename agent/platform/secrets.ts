import { readFileSync, statSync } from 'node:fs';

/** A secret by reference: read when asked for, again when its file changed. */
export interface SecretReference {
  readonly file: string | null;
  readonly env: string | null;
}

/** Larger is no token. */
const MAX_BYTES = 64 * 1024;

/**
 * Gives the secret, or undefined when there is none to give. A file that its group or others can read is
 * refused on POSIX: a secret that everyone knows is none.
 */
export function secretReader(
  { file, env }: SecretReference,
  onSecret: (secret: string) => void,
): () => string | undefined {
  let known: { state: string; value: string | undefined } | undefined;
  return () => {
    if (env !== null) return noted(process.env[env]?.trim() || undefined, onSecret);
    if (file === null) return undefined;
    const stat = statSync(file, { throwIfNoEntry: false });
    const state = stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : 'none';
    if (known?.state !== state) known = { state, value: stat && readSecret(file, stat.mode, stat.size) };
    return noted(known.value, onSecret);
  };
}

/** Why a secret file gives nothing; undefined when it does. For `holdfast check`. */
export function secretProblem(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) return 'does not exist';
  if (isOpenToOthers(stat.mode)) return 'can be read by others; chmod 600 it';
  return readSecret(file, stat.mode, stat.size) === undefined
    ? 'is empty, too large or unreadable'
    : undefined;
}

function readSecret(file: string, mode: number, size: number): string | undefined {
  if (isOpenToOthers(mode) || size > MAX_BYTES) return undefined;
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

function isOpenToOthers(mode: number): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

function noted(secret: string | undefined, onSecret: (secret: string) => void): string | undefined {
  if (secret !== undefined) onSecret(secret);
  return secret;
}
