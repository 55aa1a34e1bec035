import assert from 'node:assert/strict';
import { storesIn } from '../../../parsers/qwen-code/relocation.ts';

function stores(settings: string | undefined): readonly string[] {
  return storesIn({ text: (path) => (path === 'settings.json' ? settings : undefined), list: () => [] });
}

function set(dir: unknown): string {
  return JSON.stringify({ advanced: { runtimeOutputDir: dir } });
}

describe('parsers/qwen-code/relocation', () => {
  it('finds the store where the settings put it', () => {
    assert.deepEqual(stores(set('/srv/qwen')), ['/srv/qwen']);
    assert.deepEqual(stores(set('~/elsewhere')), ['elsewhere']);
    assert.deepEqual(stores(set('C:\\qwen')), ['C:\\qwen']);
  });

  it('knows no store that counts from the directory of each run', () => {
    assert.deepEqual(stores(set('out')), []);
    assert.deepEqual(stores(set('~')), []);
  });

  it('finds none in settings that are missing, broken or say something else', () => {
    for (const settings of [undefined, '', '{', '[]', '{"advanced":1}', set(7)])
      assert.deepEqual(stores(settings), []);
  });
});
