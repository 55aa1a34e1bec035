import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { type Channel, createChannel } from '../../../agent/capture/channel.ts';
import { settle } from '../../support/fake-clock.ts';

interface Note {
  readonly n: number;
  readonly text?: string;
}

describe('agent/capture/channel', () => {
  it('gives back frames that arrive in pieces of any size', async () => {
    const notes = [{ n: 1, text: 'schön 🙂' }, { n: 2 }, { n: 3, text: 'x'.repeat(300) }];
    const payloads = [Buffer.from('payload'), Buffer.alloc(0), Buffer.alloc(100, 7)];
    const bytes = await encode(notes, payloads);
    const cutAt = (size: number) =>
      Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );

    for (const size of [1, 2, 7, 8, 9, 64, bytes.length]) {
      const { frames } = receive(cutAt(size));
      assert.deepEqual(
        frames.map(({ header }) => header),
        notes,
        `pieces of ${size}`,
      );
      assert.deepEqual(
        frames.map(({ payload }) => payload),
        payloads,
      );
    }
  });

  it('gives back frames split at any one byte', async () => {
    const bytes = await encode([{ n: 1, text: 'ä' }, { n: 2 }], [Buffer.from('p'), Buffer.from('q')]);

    for (let at = 0; at <= bytes.length; at++) {
      const { frames } = receive([bytes.subarray(0, at), bytes.subarray(at)]);
      assert.deepEqual(
        frames.map(({ header }) => header.n),
        [1, 2],
        `split at ${at}`,
      );
    }
  });

  it('closes on any bytes that are no frame, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 64 }), (bytes) => {
        const { closed } = receive([Buffer.from(bytes), Buffer.alloc(70_000, 0x20)], 1_000);

        assert.equal(closed.length, 1);
      }),
      { numRuns: 300 },
    );
  });

  it('closes on a frame over the limit before it holds its bytes', () => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(10, 0);
    head.writeUInt32LE(4_000_000_000, 4);

    const { closed, stream } = receive([head], 1_000);

    assert.match(closed[0] ?? '', /over the limit/);
    assert.ok(stream.destroyed);
  });

  it('closes when its listener throws: the other end sent what cannot be taken', () => {
    const stream = pipe();
    const closed: string[] = [];
    const channel = createChannel<Note, Note>(stream, 1_000);
    channel.onClose((reason) => closed.push(reason));
    channel.onFrame(() => {
      throw new Error('does not add up');
    });

    stream.push(Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x7d]));
    stream.read();

    assert.deepEqual(closed, ['does not add up']);
  });

  it('tells once that the other end is gone, and sends nothing after', async () => {
    const stream = pipe();
    const closed: string[] = [];
    const channel = createChannel<Note, Note>(stream, 1_000);
    channel.onClose((reason) => closed.push(reason));

    stream.push(null);
    stream.resume();
    await settle();
    stream.destroy(new Error('reset'));
    await settle();
    channel.send({ n: 1 });

    assert.equal(closed.length, 1);
    assert.equal(stream.written.length, 0);
  });

  it('is flushed once the system has taken everything, also when little was waiting', async () => {
    const stream = pipe({ slow: true });
    const channel: Channel<Note, Note> = createChannel(stream, 1_000);
    let flushed = false;
    channel.send({ n: 1 }, Buffer.from('payload'));

    void channel.flushed().then(() => {
      flushed = true;
    });
    await settle();
    const early = flushed;
    await stream.release();

    assert.equal(early, false);
    assert.equal(flushed, true);
  });

  it('is flushed at once when nothing was sent or the other end is gone', async () => {
    const stream = pipe({ slow: true });
    const channel: Channel<Note, Note> = createChannel(stream, 1_000);

    await channel.flushed();
    channel.send({ n: 1 });
    const flushed = channel.flushed();
    channel.close();

    await flushed;
  });
});

class FakePipe extends Duplex {
  readonly written: Buffer[] = [];
  readonly #slow: boolean;
  readonly #waiting: (() => void)[] = [];

  constructor(slow: boolean) {
    super();
    this.#slow = slow;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written.push(chunk);
    if (this.#slow) this.#waiting.push(done);
    else done();
  }

  /** Lets everything written so far, and what that lets through, be taken. */
  async release(): Promise<void> {
    for (let done = this.#waiting.shift(); done; done = this.#waiting.shift()) {
      done();
      await settle();
    }
  }
}

function pipe({ slow = false } = {}): FakePipe {
  return new FakePipe(slow);
}

function receive(chunks: readonly Buffer[], maxFrameBytes = 100_000) {
  const stream = pipe();
  const frames: { header: Note; payload: Buffer }[] = [];
  const closed: string[] = [];
  const channel = createChannel<Note, Note>(stream, maxFrameBytes);
  channel.onFrame((frame) => frames.push(frame));
  channel.onClose((reason) => closed.push(reason));
  for (const chunk of chunks) if (!stream.destroyed) stream.emit('data', chunk);
  return { frames, closed, stream };
}

async function encode(notes: readonly Note[], payloads: readonly Buffer[]): Promise<Buffer> {
  const stream = pipe();
  const channel = createChannel<Note, Note>(stream, 100_000);
  for (const [index, note] of notes.entries()) channel.send(note, payloads[index]);
  await settle();
  return Buffer.concat(stream.written);
}
