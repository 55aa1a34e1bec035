import { errnoOf } from '../../contract/errors.ts';
import type { Batch, ProbeResult, SendResult, Sink } from '../../contract/sink.ts';
import type { FileSinkConfig } from '../config.ts';
import { rotate } from './rotate.ts';
import { appendDurably, openForAppend } from './writer.ts';

const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'writing there is not permitted',
  EPERM: 'writing there is not permitted',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a directory',
  ELOOP: 'it is a symbolic link, which is not followed',
};

/**
 * Appends rows to a JSONL file and rotates it by size. A batch counts as accepted once it is on the disk. After
 * a crash between that and the moved position the batch is appended again: readers keep one row per row_id.
 * The file is opened for every batch, so that one which was moved or deleted from outside is noticed.
 */
export function createFileSink(config: FileSinkConfig): Sink {
  return {
    id: config.id,
    async send(batch, signal): Promise<SendResult> {
      if (signal.aborted) return { kind: 'retry', reason: 'stopped' };
      try {
        await append(config, batch);
        return { kind: 'accepted' };
      } catch (error) {
        return { kind: 'retry', reason: reasonOf(config.path, error) };
      }
    },
    async probe(): Promise<ProbeResult> {
      try {
        const { handle } = await openForAppend(config.path);
        await handle.close();
        return { ok: true };
      } catch (error) {
        return { ok: false, reason: reasonOf(config.path, error) };
      }
    },
    async close() {},
  };
}

async function append({ path, maxBytes, maxFiles }: FileSinkConfig, batch: Batch): Promise<void> {
  let file = await openForAppend(path);
  try {
    if (file.bytes > 0 && file.bytes + batch.ndjson.length > maxBytes) {
      await file.handle.close();
      await rotate(path, maxFiles);
      file = await openForAppend(path);
    }
    await appendDurably(file.handle, file.bytes, batch.ndjson);
  } finally {
    await file.handle.close();
  }
}

/** Only what the environment does is an outcome; anything else is a bug and is thrown on. */
function reasonOf(path: string, error: unknown): string {
  const code = errnoOf(error);
  if (code === undefined) throw error;
  return `${path} cannot be written: ${WORDS[code] ?? code}`;
}
