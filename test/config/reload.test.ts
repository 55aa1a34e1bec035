import assert from 'node:assert/strict';
import { diffConfig } from '../../config/reload.ts';
import { load } from './support.ts';

const change = (before: string, after: string) => diffConfig(load(before).config, load(after).config);

describe('config/reload', () => {
  it('finds no change between equal configurations, however they are written', () => {
    assert.deepEqual(change('capture: {poll_ms: 1000}\n', '# defaults\n'), { changed: [], needsRestart: [] });
  });

  it('names each key that changed and those that need a restart', () => {
    const found = change(
      '',
      'state_dir: /x\ncapture: {poll_ms: 500, watch: poll}\ncollector: {port: 0, keep_days: 3}\n',
    );

    assert.deepEqual(found, {
      changed: ['state_dir', 'capture.watch', 'capture.poll_ms', 'collector.port', 'collector.keep_days'],
      needsRestart: ['state_dir', 'collector.port'],
    });
  });

  it('names sinks, labels and sources by their own names', () => {
    const found = change(
      'labels: {a: x, b: x}\nsinks: [{type: file, path: /a}, {type: file, id: old, path: /o}]\n',
      'labels: {b: y, c: x}\nsinks: [{type: file, path: /b}, {type: file, id: new, path: /n}]\nsources: {qwen-code: {enabled: false}}\n',
    );

    assert.deepEqual(found.changed, [
      'labels.a',
      'labels.b',
      'labels.c',
      'sources.qwen-code.enabled',
      'sinks.file',
      'sinks.old',
      'sinks.new',
    ]);
    assert.deepEqual(found.needsRestart, []);
  });

  it('sees a changed order, which decides nothing but is still a change', () => {
    const found = change('homes: [/a, /b]\n', 'homes: [/b, /a]\n');

    assert.deepEqual(found.changed, ['homes']);
  });
});
