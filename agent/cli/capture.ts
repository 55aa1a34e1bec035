import { Socket } from 'node:net';
import { SOURCES } from '../../parsers/index.ts';
import { createChannel } from '../capture/channel.ts';
import { runCaptureChild } from '../capture/child.ts';
import { type FromCapture, MAX_FRAME_BYTES, type ToCapture } from '../capture/protocol.ts';
import { systemClock } from '../platform/clock.ts';
import { exit, giveWay, setTitle } from '../platform/program.ts';
import { CHANNEL_FD } from '../platform/spawn.ts';

/** The capture process of one home; started by the keeper only, and told everything over the channel. */
export function runCapture(): void {
  setTitle('holdfast capture');
  giveWay();
  const channel = createChannel<ToCapture, FromCapture>(new Socket({ fd: CHANNEL_FD }), MAX_FRAME_BYTES);
  runCaptureChild({ channel, sources: SOURCES, clock: systemClock, exit });
}
