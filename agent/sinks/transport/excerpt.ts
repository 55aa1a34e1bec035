const LOOKED_AT_BYTES = 64 * 1024;
const EXCERPT_CHARS = 120;

/**
 * The first characters of an answer, for a person to recognise a login page or a block page by. Secrets
 * are taken out first: some servers send the request's headers back.
 */
export function excerptOf(body: Buffer, secrets: readonly string[]): string {
  if (body.length === 0) return 'an empty body';
  const line = printable(body.toString('utf8', 0, LOOKED_AT_BYTES), secrets);
  if (line === '') return 'an unprintable body';
  return `"${line.slice(0, EXCERPT_CHARS)}${line.length > EXCERPT_CHARS ? '...' : ''}"`;
}

/** Letters, digits, punctuation and symbols without the secrets; everything else becomes one space. */
export function printable(text: string, secrets: readonly string[]): string {
  let open = text;
  for (const secret of secrets) open = open.replaceAll(secret, '[secret]');
  return open.replace(/[^\p{L}\p{N}\p{P}\p{S}]+/gu, ' ').trim();
}
