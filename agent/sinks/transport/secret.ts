import { readFileSync } from 'node:fs';
import { errnoOf } from '../../contract/errors.ts';

/** A secret as it is at this moment. `none`: nothing is configured. */
export type Secret =
  | { readonly kind: 'none' }
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'missing'; readonly reason: string };

export type SecretSource = () => Secret;

export interface SecretPlace {
  /** What it is called in a reason: "token". */
  readonly name: string;
  readonly file: string | null | undefined;
  readonly variable: string | null | undefined;
  readonly secret: (name: string) => string | undefined;
}

const NONE: Secret = { kind: 'none' };

/** Reads the secret anew every time, so that a rotated file counts from the next request on. */
export function createSecretSource({ name, file, variable, secret }: SecretPlace): SecretSource {
  if (file) return () => checked(name, readSecretFile(name, file));
  if (variable)
    return () => checked(name, nonEmpty(secret(variable), `${name} variable ${variable} is not set`));
  return () => NONE;
}

function readSecretFile(name: string, file: string): Secret {
  try {
    return nonEmpty(readFileSync(file, 'utf8'), `${name} file ${file} is empty`);
  } catch (error) {
    return { kind: 'missing', reason: `${name} file ${file} cannot be read: ${errnoOf(error) ?? 'error'}` };
  }
}

function nonEmpty(text: string | undefined, otherwise: string): Secret {
  const value = text?.trim() ?? '';
  return value === '' ? { kind: 'missing', reason: otherwise } : { kind: 'value', value };
}

/** A secret goes into a header; what a header cannot carry would end the request with an unclear error. */
function checked(name: string, secret: Secret): Secret {
  if (secret.kind !== 'value' || /^[\x20-\x7e]+$/.test(secret.value)) return secret;
  return { kind: 'missing', reason: `the ${name} holds characters other than printable ASCII` };
}
