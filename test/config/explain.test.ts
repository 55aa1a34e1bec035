import assert from 'node:assert/strict';
import { explainConfig } from '../../config/explain.ts';
import { SETTINGS } from '../../config/table.ts';
import { load, MAIN } from './support.ts';

describe('config/explain', () => {
  it('names every effective setting with its value and origin', () => {
    const explained = explainConfig(
      load('homes: [/a, /b]\nsinks:\n  - type: file\n    path: /x\n', {
        env: { HOLDFAST_ROWS_MAX_TEXT_BYTES: '2048' },
      }),
    );

    const find = (name: string) => explained.find((setting) => setting.name === name);
    assert.deepEqual(find('homes'), {
      name: 'homes',
      value: ['/a', '/b'],
      origin: { kind: 'file', file: MAIN, line: 1, column: 1 },
    });
    assert.deepEqual(find('sinks[0].path'), {
      name: 'sinks[0].path',
      value: '/x',
      origin: { kind: 'file', file: MAIN, line: 4, column: 5 },
    });
    assert.deepEqual(find('sinks[0].batch.max_rows'), {
      name: 'sinks[0].batch.max_rows',
      value: 500,
      origin: { kind: 'default' },
    });
    assert.deepEqual(find('rows.max_text_bytes')?.origin, {
      kind: 'environment',
      variable: 'HOLDFAST_ROWS_MAX_TEXT_BYTES',
    });
    assert.deepEqual(find('labels'), { name: 'labels', value: {}, origin: { kind: 'default' } });
  });

  it('leaves no setting out', () => {
    const names = explainConfig(load('')).map(({ name }) => name);

    assert.deepEqual(
      names,
      SETTINGS.map(({ name }) => name),
    );
  });
});
