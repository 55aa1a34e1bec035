import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { createChannel } from '../../../agent/capture/channel.ts';
import { runCaptureChild } from '../../../agent/capture/child.ts';
import {
  type CaptureInit,
  type CommitHeader,
  type FromCapture,
  MAX_FRAME_BYTES,
  type ToCapture,
} from '../../../agent/capture/protocol.ts';
import type { Cursor } from '../../../agent/contract/commit.ts';
import { systemClock } from '../../../agent/platform/clock.ts';
import { onCleanUp, tempDir } from '../../support/temp.ts';
import { toySource } from '../../support/toy-source.ts';
import { until } from '../../support/until.ts';
import { LIMITS, storeOf } from './support.ts';

describe('agent/capture/child', () => {
  it('reads the home it is told of, says which file it reads, and that the first scan is over', async () => {
    const { keeper, home, frames, texts } = setUp();
    writeFileSync(join(storeOf(home), 'a.log'), 'one\ntwo\n');

    begin(keeper, home);
    await until('the end of the first scan', () => frames.some(({ type }) => type === 'swept'));

    const ofTypes = (...types: string[]) => frames.filter(({ type }) => types.includes(type));
    assert.deepEqual(texts(), ['one', 'two']);
    assert.deepEqual(
      ofTypes('at', 'commit')
        .map(({ type }) => type)
        .slice(0, 2),
      ['at', 'commit'],
    );
    assert.deepEqual(ofTypes('swept'), [{ type: 'swept', reason: 'start', first: true }]);
    assert.ok(ofTypes('state').length > 0 && ofTypes('count').length > 0);
  });

  it('goes on behind the cursors it is given', async () => {
    const first = setUp();
    const log = join(storeOf(first.home), 'a.log');
    writeFileSync(log, 'one\n');
    begin(first.keeper, first.home);
    await until('the line', () => first.cursors().length > 0);
    await first.stop();
    appendFileSync(log, 'two\n');

    const second = setUp(first.home);
    begin(second.keeper, first.home, { cursors: first.cursors() });
    await until('the new line', () => second.texts().length > 0);

    assert.deepEqual(second.texts(), ['two']);
  });

  it('leaves alone what is set aside, until it is told otherwise', async () => {
    const { keeper, home, frames, texts } = setUp();
    for (const name of ['a', 'b']) writeFileSync(join(storeOf(home), `${name}.log`), `${name}\n`);
    begin(keeper, home, { quarantined: ['.toy/a.log'] });
    await until('the end of the first scan', () => frames.some(({ type }) => type === 'swept'));
    const before = texts();

    keeper.send({ type: 'quarantine', files: [] });
    keeper.send({ type: 'sweep', full: true, reason: 'request' });
    await until('the other file', () => texts().length === 2);

    assert.deepEqual([before, texts()], [['b'], ['b', 'a']]);
  });

  it('ends with 0 when it is told to, after everything it said was handed on', async () => {
    const { keeper, home, frames, exits, texts, stop } = setUp();
    writeFileSync(join(storeOf(home), 'a.log'), 'one\n');
    begin(keeper, home);
    await until('the end of the first scan', () => frames.some(({ type }) => type === 'swept'));

    await stop();

    assert.equal(exits[0], 0);
    assert.deepEqual(texts(), ['one']);
  });

  it('ends with the keeper', async () => {
    const { keeper, exits } = setUp();

    keeper.close();
    await until('its end', () => exits.length > 0);

    assert.equal(exits[0], 0);
  });
});

/** The child on one end, and the keeper's channel on the other, which answers every commit. */
function setUp(home = tempDir()) {
  const [ours, theirs] = duplexPair();
  const keeper = createChannel<FromCapture, ToCapture>(ours, MAX_FRAME_BYTES);
  const frames: FromCapture[] = [];
  const lines: string[] = [];
  const exits: number[] = [];
  keeper.onFrame(({ header, payload }) => {
    frames.push(header);
    if (header.type !== 'commit') return;
    for (const line of payload
      .subarray(header.count * 19)
      .toString('utf8')
      .split('\n')
      .filter(Boolean))
      lines.push(line);
    keeper.send({ type: 'ack', n: header.n });
  });
  runCaptureChild({
    channel: createChannel<ToCapture, FromCapture>(theirs, MAX_FRAME_BYTES),
    sources: [toySource],
    clock: systemClock,
    exit: (code) => exits.push(code),
  });
  const stop = async () => {
    if (exits.length === 0) keeper.send({ type: 'stop' });
    await until('the child to end', () => exits.length > 0);
  };
  onCleanUp(stop);
  const commits = () => frames.filter((frame): frame is CommitHeader => frame.type === 'commit');
  return {
    keeper,
    home,
    frames,
    exits,
    stop,
    texts: () => lines.map((line) => (JSON.parse(line) as { text: string }).text),
    cursors: () => commits().flatMap(({ file, cursor }) => (file && cursor ? [[file, cursor] as const] : [])),
  };
}

interface Begin {
  readonly cursors?: readonly (readonly [string, Cursor])[];
  readonly quarantined?: readonly string[];
}

function begin(
  keeper: ReturnType<typeof setUp>['keeper'],
  home: string,
  { cursors = [], quarantined = [] }: Begin = {},
): void {
  const init: CaptureInit = {
    home,
    user: 'alice',
    ownerUid: process.getuid?.() ?? null,
    mode: 'watch',
    sources: [{ id: toySource.id, extraRoots: [], systemRoots: [], extraFiles: [] }],
    host: { id: 'h', name: 'h' },
    labels: {},
    limits: LIMITS,
    vault: null,
    firstScan: true,
    quarantined,
  };
  keeper.send({ type: 'init', init });
  keeper.send({ type: 'cursors', cursors });
  keeper.send({ type: 'start' });
}
