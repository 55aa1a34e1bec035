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
