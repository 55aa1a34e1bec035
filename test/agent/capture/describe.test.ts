import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentSpec, Source } from '../../../agent/contract/source.ts';
import { tempDir } from '../../support/temp.ts';
import { toySource } from '../../support/toy-source.ts';
import { until } from '../../support/until.ts';
import { startCapture, storeOf } from './support.ts';

/** A kind of session that nothing can be made of. */
const silentSpec: DocumentSpec = {
  name: 'silent',
  kind: 'document',
  role: 'primary',
  matches: (path) => path.endsWith('.silent'),
  parse: () => 'parsed',
};
const source: Source = { ...toySource, files: [silentSpec, ...toySource.files] };

describe('agent/capture/describe', () => {
  for (const [what, files, parsed] of [
    ['counts files that gave rows', { 'a.log': 'one\n', 'b.log': 'two\n' }, 2],
    ['does not let settings hide sessions that give nothing', { 'a.silent': 'x', 'b.grants': 'x=1\n' }, 0],
    ['counts settings where there are no sessions', { 'b.grants': 'x=1\n' }, 1],
    ['expects nothing of an empty session', { 'a.log': '', 'b.grants': 'x=1\n' }, 1],
  ] as const) {
    it(what, async () => {
      const home = tempDir();
      for (const [name, text] of Object.entries(files)) writeFileSync(join(storeOf(home), name), text);

      const { capture } = await startCapture(home, { source });

      await until('every file was read', () => capture.state().waiting === 0);
      assert.deepEqual(capture.state().parsed, { 'gemini-cli': parsed });
    });
  }
});
