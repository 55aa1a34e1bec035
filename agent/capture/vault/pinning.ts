import type { CaptureDeps } from '../capture-deps.ts';
import type { FileRef } from '../layout.ts';
import type { Track } from '../track.ts';
import { isSame } from './take.ts';
import { holdsMore } from './unread.ts';
import { NO_VAULT, openVault, type Pin, type Vault } from './vault.ts';

/** When source files are pinned, and when their pins are let go. */
export class Pinning {
  readonly vault: Vault;
  readonly #port: CaptureDeps['port'];
  readonly #closing: boolean;

  constructor({ init, port, logger, count }: Pick<CaptureDeps, 'init' | 'port' | 'logger' | 'count'>) {
    const { vault, ownerUid } = init;
    this.#port = port;
    this.#closing = vault?.closing === true;
    this.vault = vault === null ? NO_VAULT : openVault({ ...vault, ownerUid, logger, count });
  }

  /** A file read by an earlier run, which may have had no vault. */
  missing(ref: FileRef): void {
    if (this.vault.of(ref.key).length === 0) this.vault.pin(ref);
  }

  /** The file is gone, and all that it held is on its way. */
  forget(track: Track): void {
    this.#letGo(track, () => true);
  }

  /** Files that stood under the name before the one that was read now. */
  letGoOfRead(track: Track): void {
    const { seen } = track;
    if (seen !== undefined) this.#letGo(track, (pin) => !isSame(pin, seen));
  }

  /** The first scan is over and durable: where pinning was turned off, nothing needs a second name any more. */
  scanned(): void {
    if (!this.#closing) return;
    for (const key of [...this.vault.keys()]) this.vault.drop(this.vault.of(key));
  }

  /** Not before what they gave is durable: until then they may be all that is left of it. */
  #letGo(track: Track, isMeant: (pin: Pin) => boolean): void {
    const read = this.vault.of(track.ref.key).filter((pin) => isMeant(pin) && !holdsMore(pin, track));
    if (read.length > 0) void this.#port.settled().then(() => this.vault.drop(read));
  }
}
