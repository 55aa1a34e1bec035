import type { Duplex } from 'node:stream';

/** A message of a known shape with an optional block of bytes beside it. */
export interface Frame<Header> {
  readonly header: Header;
  readonly payload: Buffer;
}

/** Framed messages over a byte stream: two lengths, a JSON header, a payload. */
export interface Channel<In, Out> {
  send(header: Out, payload?: Buffer): void;
  onFrame(listener: (frame: Frame<In>) => void): void;
  /** The other end is gone, or (`isBroken`) sent something that cannot be taken. */
  onClose(listener: (reason: string, isBroken: boolean) => void): void;
  /** Resolves when everything sent so far was handed to the system. */
  flushed(): Promise<void>;
  close(): void;
}

const PREFIX_BYTES = 8;
const MAX_HEADER_BYTES = 16 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * The keeper does not trust a capture process, which runs as a user: lengths are bounded before anything
 * is kept, and the first frame that is wrong closes the channel.
 */
export function createChannel<In, Out>(stream: Duplex, maxFrameBytes: number): Channel<In, Out> {
  let onFrame: (frame: Frame<In>) => void = () => {};
  let onClose: (reason: string, isBroken: boolean) => void = () => {};
  let closed = false;
  let unwritten = 0;
  let waiters: (() => void)[] = [];
  const release = () => {
    const released = waiters;
    waiters = [];
    for (const resolve of released) resolve();
  };
  const close = (reason: string, isBroken = false) => {
    if (closed) return;
    closed = true;
    stream.destroy();
    release();
    onClose(reason, isBroken);
  };
  const write = (bytes: Buffer) => {
    unwritten++;
    stream.write(bytes, () => {
      if (--unwritten === 0) release();
    });
  };
  const decoder = createDecoder<In>(maxFrameBytes, (frame) => onFrame(frame));
  stream.on('data', (chunk: Buffer) => {
    try {
      decoder(chunk);
    } catch (error) {
      close(error instanceof Error ? error.message : String(error), true);
    }
  });
  stream.on('error', (error) => close(error.message));
  stream.on('close', () => close('closed'));
  stream.on('end', () => close('ended'));

  return {
    send(header, payload = NOTHING) {
      if (closed) return;
      write(encodeHead(header, payload.length));
      if (payload.length > 0) write(payload);
    },
    onFrame(listener) {
      onFrame = listener;
    },
    onClose(listener) {
      onClose = listener;
    },
    flushed: () =>
      new Promise((resolve) => {
        if (closed || unwritten === 0) resolve();
        else waiters.push(resolve);
      }),
    close: () => close('closed by us'),
  };
}

function encodeHead(header: unknown, payloadBytes: number): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const head = Buffer.allocUnsafe(PREFIX_BYTES + json.length);
  head.writeUInt32LE(json.length, 0);
  head.writeUInt32LE(payloadBytes, 4);
  json.copy(head, PREFIX_BYTES);
  return head;
}

/** Collects chunks and joins them only when a whole frame is there, so that a large frame is copied once. */
function createDecoder<In>(
  maxFrameBytes: number,
  onFrame: (frame: Frame<In>) => void,
): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = PREFIX_BYTES;
  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    if (held < wanted) return;
    let buffer = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    for (;;) {
      wanted = frameBytes(buffer, maxFrameBytes);
      if (buffer.length < wanted) break;
      onFrame(cutFrame<In>(buffer, wanted));
      buffer = buffer.subarray(wanted);
    }
    chunks = buffer.length > 0 ? [buffer] : [];
    held = buffer.length;
  };
}

function frameBytes(buffer: Buffer, maxFrameBytes: number): number {
  if (buffer.length < PREFIX_BYTES) return PREFIX_BYTES;
  const header = buffer.readUInt32LE(0);
  const total = PREFIX_BYTES + header + buffer.readUInt32LE(4);
  if (header > MAX_HEADER_BYTES || total > maxFrameBytes)
    throw new Error(`a frame of ${total} bytes is over the limit`);
  return total;
}

function cutFrame<In>(buffer: Buffer, total: number): Frame<In> {
  const headerEnd = PREFIX_BYTES + buffer.readUInt32LE(0);
  const header = JSON.parse(buffer.toString('utf8', PREFIX_BYTES, headerEnd)) as In;
  return { header, payload: Buffer.from(buffer.subarray(headerEnd, total)) };
}
