import { type Duplex, duplexPair, PassThrough } from 'node:stream';
import { type Channel, createChannel } from '../../../agent/capture/channel.ts';
import type { FromCapture, ToCapture } from '../../../agent/capture/protocol.ts';
import { encodeCommit } from '../../../agent/capture/protocol.ts';
import type { Cursor } from '../../../agent/contract/commit.ts';
import { EMPTY_ROWS } from '../../../agent/contract/commit.ts';
import type { SelfProcess } from '../../../agent/platform/spawn.ts';

/** A capture process in name only: the test decides what it says, and how it ends. */
export class FakeProcess implements SelfProcess {
  readonly pid = 4711;
  readonly channel: Duplex;
  readonly stderr = new PassThrough();
  /** What the keeper said, in order. */
  readonly heard: ToCapture[] = [];
  readonly signals: string[] = [];
  readonly raw: Duplex;
  /** Ends when it is asked to, and when it is killed; otherwise the test must. */
  obedient = true;
  isAlive = true;
  #onExit: (how: string) => void = () => {};
  readonly #other: Channel<ToCapture, FromCapture>;

  constructor() {
    [this.channel, this.raw] = duplexPair();
    this.#other = createChannel(this.raw, 1 << 28);
    this.#other.onFrame(({ header }) => {
      this.heard.push(header);
      if (header.type === 'stop' && this.obedient) this.end('exit code 0');
    });
  }

  say(header: FromCapture, payload?: Buffer): void {
    this.#other.send(header, payload);
  }

  commit(n: number, file: string, offset: number): void {
    const cursor = { offset } as Cursor;
    const { header, payload } = encodeCommit(n, { lane: 'live', file, cursor, rows: EMPTY_ROWS });
    this.say(header, payload);
  }

  kill(signal: NodeJS.Signals): void {
    this.signals.push(signal);
    if (this.isAlive && this.obedient) this.end(`signal ${signal}`);
  }

  onExit(listener: (how: string) => void): void {
    this.#onExit = listener;
  }

  /** Like a real one: its channel closes first, then the keeper hears how it ended. */
  end(how: string): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#other.close();
    setImmediate(() => setImmediate(() => this.#onExit(how)));
  }

  heardOf<Type extends ToCapture['type']>(type: Type): Extract<ToCapture, { type: Type }>[] {
    return this.heard.filter((frame): frame is Extract<ToCapture, { type: Type }> => frame.type === type);
  }
}
