/** Something in a database is not what its format says. The reason goes into a row; it never carries content. */
export class Malformed extends Error {
  readonly reason: string;
  readonly page: number;

  constructor(reason: string, page: number) {
    super(`${reason} (page ${page})`);
    this.reason = reason;
    this.page = page;
  }
}

/** Runs a piece of work that may come across something malformed, which is then noted. */
export function noting<T>(
  { onBad }: { readonly onBad: (error: Malformed) => void },
  work: () => T,
): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    onBad(error);
    return undefined;
  }
}
