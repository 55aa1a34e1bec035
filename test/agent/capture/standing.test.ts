import assert from 'node:assert/strict';
import { renameSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from '../../../agent/contract/source.ts';
import type { MemoryPort } from '../../support/memory-port.ts';
import { tempDir } from '../../support/temp.ts';
import { toySource } from '../../support/toy-source.ts';
import { until } from '../../support/until.ts';
import { quiet, startCapture, storeOf } from './support.ts';

const GRANT = { key: 'process', label: 'session process', event: 'session.process' } as const;

describe('agent/capture/read-standing', () => {
  it('tells what a file holds at the first scan as baseline, and later what is new', async () => {
    const { port, file } = await begin('shell=ask\n', { firstScan: true });

    writeFileSync(file, 'shell=ask\nwrite=allow\n');
    await until('the new grant', () => said(port).length === 2);

    assert.deepEqual(said(port), ['baseline shell=ask', 'added write=allow']);
    assert.equal(port.rows[1]?.text, 'permission setting: write=allow (from .toy/a.grants, file mtime)');
    assert.equal(port.rows[1]?.role, 'standing');
  });

  it('takes no name that every object has for a grant of before', async () => {
    const { port, file } = await begin('a=1\n');

    writeFileSync(file, 'a=1\nconstructor=1\n__proto__=2\ntoString=3\n');
    await until('the new grants', () => said(port).length === 4);

    assert.deepEqual(said(port).slice(1), ['added constructor=1', 'added __proto__=2', 'added toString=3']);
  });

  it('keeps to a number of entries, and says how many it left out', async () => {
    const lines = Array.from({ length: 5_002 }, (_, at) => `g${at}=1\n`);

    const { port } = await begin(lines.join(''));

    assert.equal(said(port).length, 5_000);
    assert.match(
      port.rows.find(({ event }) => event === 'parser.error')?.text ?? '',
      /2 of 5002 settings left out/,
    );
  });

  it('is read again with a full sweep where it also depends on the moment', async () => {
    let now = 'running';
    const source: Source = {
      ...toySource,
      files: toySource.files.map((spec) =>
        spec.kind === 'standing'
          ? {
              ...spec,
              again: true,
              read: () => ({ kind: 'entries', entries: [{ ...GRANT, value: now, subject: now }] }),
            }
          : spec,
      ),
    };
    const home = tempDir();
    writeFileSync(join(storeOf(home), 'a.grants'), 'x=1\n');
    const { capture, port } = await startCapture(home, { source });
    now = 'gone';

    capture.sweep(false, 'schedule');
    await quiet(100);
    assert.equal(port.rows.length, 1);
    capture.sweep(true, 'schedule');
    await until('what is now', () => port.rows.length === 2);
    capture.sweep(true, 'schedule');
    await quiet(100);

    assert.deepEqual(
      port.rows.map(({ attributes }) => attributes['value']),
      ['running', 'gone'],
    );
  });

  it('says nothing when the same entries stand in another order', async () => {
    const { port, file } = await begin('a=1\nb=2\n');

    writeFileSync(`${file}.new`, 'b=2\na=1\n');
    renameSync(`${file}.new`, file);
    await quiet();

    assert.deepEqual(said(port), ['added a=1', 'added b=2']);
  });

  it('tells changes with what was there before, and what was taken away', async () => {
    const { port, file } = await begin('a=1\nb=2\n');

    writeFileSync(file, 'a=9\n');
    await until('both', () => said(port).length === 4);

    assert.deepEqual(said(port).slice(2), ['changed a=9', 'removed b=2']);
    assert.equal(port.rows[2]?.attributes['was'], '1');
    assert.equal(port.rows[3]?.text, 'permission setting removed: b=2 (from .toy/a.grants, file mtime)');
  });

  it('never takes a half-written or broken file for one without grants', async () => {
    const { port, file } = await begin('a=1\nb=2\n');

    writeFileSync(file, '');
    await quiet(60);
    writeFileSync(file, 'a=1\nb=');
    await until('the error', () => port.events().includes('parser.error'));
    writeFileSync(file, 'a=1\nb=2\nc=3\n');
    await until('the new grant', () => said(port).some((text) => text.includes('c=3')));

    assert.deepEqual(
      said(port).filter((text) => text.startsWith('removed')),
      [],
    );
    assert.deepEqual(said(port).slice(-1), ['added c=3']);
  });

  it('tells that everything went when the file went', async () => {
    const { port, file } = await begin('a=1\n');

    unlinkSync(file);
    await until('the removal', () => said(port).length === 2);

    assert.deepEqual(said(port), ['added a=1', 'removed a=1']);
  });

  it('keeps what it knows over a restart, and gives every occasion its own row', async () => {
    const { port, file, home, capture } = await begin('a=1\n');
    await capture.stop();
    writeFileSync(file, 'b=2\n');
    utimesSync(file, 1_800_000_000, 1_800_000_000);

    const again = await startCapture(home, { port });
    await until('the difference', () => said(port).length === 3);
    writeFileSync(file, 'a=1\nb=2\n');
    await until('the grant given again', () => said(port).length === 4);

    assert.deepEqual(said(again.port), ['added a=1', 'added b=2', 'removed a=1', 'added a=1']);
  });
});

async function begin(text: string, options: { firstScan?: boolean } = {}) {
  const home = tempDir();
  const file = join(storeOf(home), 'a.grants');
  writeFileSync(file, text);
  return { home, file, ...(await startCapture(home, options)) };
}

function said(port: MemoryPort): string[] {
  return port.rows
    .filter((row) => row.event === 'permission.setting')
    .map((row) => `${row.attributes['change']} ${row.attributes['key']}=${row.attributes['value']}`);
}
