import assert from 'node:assert/strict';
import { savedFiles } from '../../../../parsers/shared/kiro-typed/saved-files.ts';

const pathsIn = (history: string) => [...savedFiles(history)].map(({ path }) => path);

describe('parsers/shared/kiro-typed/saved-files', () => {
  it('names what was typed behind /save and /chat save, and the same with .json', () => {
    const history = '#V2\n/save talk\nhello\n/chat save ~/notes/a.json\n/save /srv/shop/b.JSON --force\n';

    assert.deepEqual(pathsIn(history), ['talk', 'talk.json', '~/notes/a.json', '/srv/shop/b.JSON']);
  });

  it('takes flags and quotes off, and keeps blanks', () => {
    assert.deepEqual(pathsIn('/save -f "my talk.json"\n'), ['my talk.json']);
    assert.deepEqual(pathsIn("/chat save --force 'a b.json'\n"), ['a b.json']);
  });

  it('reads the escapes of the form with a header', () => {
    assert.deepEqual(pathsIn('#V2\n/save C:\\\\Users\\\\alice\\\\a.json\n'), ['C:\\Users\\alice\\a.json']);
  });

  it('names nothing for other lines', () => {
    assert.deepEqual(
      pathsIn('/save\n/saved a.json\nplease /save a.json\n/load a.json\n/chat load a.json\n'),
      [],
    );
  });
});
