/** `*` in any number: everything. */
export function isWildcard(text: string): boolean {
  return /^[*\s]*\*[*\s]*$/.test(text);
}
