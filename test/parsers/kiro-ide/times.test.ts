import assert from 'node:assert/strict';
import { createExecutionTimes, timeOf } from '../../../parsers/kiro-ide/times.ts';
import {
  contextOf,
  EXECUTION,
  EXECUTION_PATH,
  executionPath,
  METADATA_PATH,
  PROJECT,
  SESSION_PATH,
  START,
  START_MS,
} from './support.ts';

describe('parsers/kiro-ide/times', () => {
  for (const value of [
    START_MS,
    START_MS / 1000,
    String(START_MS),
    '1790841600',
    '2026-10-01T10:00:00.0001+02:00',
  ]) {
    it(`reads ${JSON.stringify(value)}`, () => {
      assert.deepEqual(timeOf(value), { utc: START, source: 'record' });
    });
  }

  for (const value of [undefined, null, 0, -1, Number.NaN, 1e30, '', 'soon', '12', {}, true]) {
    it(`takes ${JSON.stringify(value)} for no time`, () => {
      assert.deepEqual(timeOf(value), { utc: null, source: 'none' });
    });
  }

  it('finds when an execution began in the list of executions, else in its own file', () => {
    const files = {
      [METADATA_PATH]: {
        executions: [{ executionId: 'listed', startTime: START_MS }, null, { executionId: 3 }],
      },
      [EXECUTION_PATH]: `{"executionId":"${EXECUTION}","status":"running","startTime": ${START_MS + 1000}, "cut`,
    };

    const times = createExecutionTimes(contextOf(SESSION_PATH, files), PROJECT);

    assert.deepEqual(times.startOf('listed'), { utc: START, source: 'derived' });
    assert.deepEqual(times.startOf(EXECUTION), { utc: '2026-10-01T08:00:01.000Z', source: 'derived' });
    assert.equal(times.startOf('elsewhere'), undefined);
  });

  it('knows nothing where the project is unknown or the list is damaged', () => {
    const context = contextOf(SESSION_PATH, { [METADATA_PATH]: '{"executions":[' });

    assert.equal(createExecutionTimes(context, undefined).startOf(EXECUTION), undefined);
    assert.equal(createExecutionTimes(context, PROJECT).startOf(EXECUTION), undefined);
  });

  it('does not look into any number of files', () => {
    const looks: string[] = [];
    const text = (path: string): undefined => void looks.push(path);
    const context = { ...contextOf(SESSION_PATH, {}), small: { list: () => [], text } };
    const times = createExecutionTimes(context, PROJECT);

    for (let n = 0; n < 200; n++) times.startOf(`execution ${n}`);

    assert.equal(looks.filter((path) => path !== METADATA_PATH).length, 20);
    assert.ok(looks.includes(executionPath('execution 0')));
  });
});
