/**
 * Names under which copies of a record may stand in other files of the store. A session row claims them, the copy
 * carries one as `copyOf`; see DraftRow. Text is named by its match key (state.ts), so names stay short.
 *
 * Names without a time hold the project's folder: the same words in another project are no copy. Prompts are named
 * by time instead, and not by session: after `/clear` the prompt history goes on under the id of the first session.
 */

/** A copy of a prompt has the time at which it was typed; the session's record follows a moment later. */
const BUCKET_MS = 10_000;

/** Buckets that a prompt claims: its own and those before, so that a hook or a slow mention may run in between. */
const PROMPT_BUCKETS = 3;

/** A shell command is recorded when it ends: it may have been typed this long before. */
const MAX_RUN_MS = 60 * 60_000;

export function promptName(utc: string, key: string): string {
  return nameInBucket(bucketOf(utc), key);
}

/** Names of a prompt that was recorded at this time. */
export function promptNames(utc: string, key: string): string[] {
  const last = bucketOf(utc);
  return namesBetween(last - PROMPT_BUCKETS + 1, last, key);
}

/** Names of a shell command that ended at `utc`, and began after `since` if that is known. */
export function shellPromptNames(utc: string, since: string | undefined, key: string): string[] {
  const ended = Date.parse(utc);
  const began = Math.max(ended - MAX_RUN_MS, since === undefined ? 0 : Date.parse(since));
  const last = bucketOf(utc);
  const first = Math.floor(began / BUCKET_MS);
  return namesBetween(Math.min(first, last - PROMPT_BUCKETS + 1), last, key);
}

/** What a person typed, to the model or in shell mode. */
export function userName(folder: string, key: string): string {
  return `text ${folder} user ${key}`;
}

export function assistantName(folder: string, key: string): string {
  return `text ${folder} assistant ${key}`;
}

/** What the program wrote in the user's name. */
export function machineName(folder: string, key: string): string {
  return `text ${folder} machine ${key}`;
}

export function callName(folder: string, id: string): string {
  return `call ${folder} ${id}`;
}

export function resultName(folder: string, id: string): string {
  return `result ${folder} ${id}`;
}

/** Folder of the project below `tmp/`, out of the path of any of its files. */
export function folderOf(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

function bucketOf(utc: string): number {
  return Math.floor(Date.parse(utc) / BUCKET_MS);
}

function nameInBucket(bucket: number, key: string): string {
  return `prompt ${bucket} ${key}`;
}

function namesBetween(first: number, last: number, key: string): string[] {
  const names: string[] = [];
  for (let bucket = first; bucket <= last; bucket++) names.push(nameInBucket(bucket, key));
  return names;
}
