/** Keeps values that must never be seen out of what others will see. */
export interface Redactor {
  /** Makes a secret known. False when it is too short to be one: replacing it would shred every line. */
  add(secret: string): boolean;
  redact(text: string): string;
}

export const REDACTED = '[secret]';

const MIN_SECRET_LENGTH = 4;

/** Shorter pieces of a multi-line secret (a PEM file) are no secrets by themselves. */
const MIN_PIECE_LENGTH = 16;

const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;

export function createRedactor(): Redactor {
  const forms = new Set<string>();
  let pattern: RegExp | undefined;

  return {
    add(secret) {
      const value = secret.trim();
      if (value.length < MIN_SECRET_LENGTH) return false;
      for (const piece of piecesOf(value)) for (const form of formsOf(piece)) forms.add(form);
      pattern = patternOf(forms);
      return true;
    },
    redact: (text) => (pattern ? text.replace(pattern, REDACTED) : text),
  };
}

function piecesOf(value: string): string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return lines.length === 1 ? [value] : [value, ...lines.filter((line) => line.length >= MIN_PIECE_LENGTH)];
}

/** The ways in which a value turns up: as it is, inside JSON, in a URL or form, as hex, as base64. */
function formsOf(value: string): string[] {
  const url = encodeUrl(value);
  const bytes = Buffer.from(value);
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    url,
    url.replaceAll('%20', '+'),
    url.replace(/%[0-9A-F]{2}/g, (found) => found.toLowerCase()),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...base64Forms(bytes),
  ];
}

/** Half a surrogate pair has no URL form; such a value never travels in one. */
function encodeUrl(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

/**
 * Base64 of a longer text (user:password) holds that of the secret at one of three alignments. What lies
 * at its edges is mixed with the neighbours, so only the characters between are looked for.
 */
function base64Forms(bytes: Buffer): string[] {
  const forms = [bytes.toString('base64')];
  for (const shift of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    forms.push(encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6)));
  }
  return [
    ...forms,
    ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')),
  ];
}

/** Longest first, so that no shorter form leaves the rest of a longer one behind. */
function patternOf(forms: ReadonlySet<string>): RegExp {
  const sorted = [...forms]
    .filter((form) => form.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
  return new RegExp(sorted.map((form) => form.replace(SPECIAL, '\\$&')).join('|'), 'g');
}
