import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryPort } from '../../support/memory-port.ts';
import { tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';
import { quiet, startCapture, storeOf } from './support.ts';

const LIMITS = { maxLineBytes: 1_000 };
const HUGE = 'x'.repeat(5_000);

describe('agent/capture/live-log, with an unfinished line over the limit', () => {
  it('gives it the row that a finished one gets, under the same id', async () => {
    const cut = await rowsOf(`one\n${HUGE}`);
    const whole = await rowsOf(`one\n${HUGE}\n`);

    assert.equal(cut.length, 1);
    assert.match(cut[0]?.text ?? '', /line of 5000 bytes not read/);
    assert.equal(cut[0]?.source_line, 2);
    assert.equal(cut[0]?.row_id, whole[0]?.row_id);
  });

  it('gives no second one when the line goes on and ends, and reads what follows', async () => {
    const { log, port } = await following();
    appendFileSync(log, HUGE);
    await until('the row', () => port.events().length === 1);

    appendFileSync(log, HUGE);
    await quiet();
    appendFileSync(log, 'end\ntwo\n');
    await until('the next line', () => port.texts().length === 2);

    assert.deepEqual(port.events(), ['parser.error']);
    assert.deepEqual(port.texts(), ['one', 'two']);
    assert.equal(port.rows.find(({ text }) => text === 'two')?.source_line, 3);
  });

  it('gives no second one either when the line ends after a restart', async () => {
    const { home, log, port, capture } = await following();
    appendFileSync(log, HUGE);
    await until('the row', () => port.events().length === 1);
    await until('the cursor', () => [...port.cursors.values()][0]?.restTold === true);
    await capture.stop();

    appendFileSync(log, 'end\ntwo\n');
    await startCapture(home, { port, limits: LIMITS });
    await until('the next line', () => port.texts().includes('two'));
    appendFileSync(log, `${HUGE}${HUGE}\n`);
    await until('a further huge line', () => port.events().length === 2);

    assert.deepEqual(port.events(), ['parser.error', 'parser.error']);
  });
});

async function following() {
  const home = tempDir();
  const log = join(storeOf(home), 'a.log');
  writeFileSync(log, 'one\n');
  const port = new MemoryPort();
  const { capture } = await startCapture(home, { port, limits: LIMITS });
  return { home, log, port, capture };
}

async function rowsOf(content: string) {
  const home = tempDir();
  writeFileSync(join(storeOf(home), 'a.log'), content);
  const { port, capture } = await startCapture(home, { limits: LIMITS });
  await until('the row', () => port.events().length === 1);
  await quiet();
  await capture.stop();
  return port.rows.filter(({ event }) => event === 'parser.error');
}
