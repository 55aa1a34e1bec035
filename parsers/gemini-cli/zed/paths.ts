/** Where Zed keeps its database, by platform: home-relative. */
export const ZED_ROOTS = [
  '.local/share/zed/db',
  'Library/Application Support/Zed/db',
  'AppData/Local/Zed/db',
] as const;

/** One folder for each release channel of the editor. */
const CHANNEL = /^0-[a-z]+$/;

export function isZedChannel(path: string): boolean {
  return CHANNEL.test(path);
}

export function isZedDatabase(path: string): boolean {
  return path.endsWith('/db.sqlite') && isZedChannel(path.slice(0, -'/db.sqlite'.length));
}
