import assert from 'node:assert/strict';
import { readSteering } from '../../../../parsers/shared/kiro-standing/steering.ts';
import { entriesOf } from './support.ts';

describe('parsers/shared/kiro-standing/steering', () => {
  it('tells when a file is included, by hash and length, and not what it says', () => {
    const [entry] = entriesOf(
      readSteering,
      'steering/api.md',
      '---\r\ninclusion: "fileMatch"\r\nfileMatchPattern: api/**\r\n---\r\nthe words',
    );

    assert.match(
      entry?.subject ?? '',
      /^api\.md inclusion=fileMatch api\/\*\* \d+ bytes sha256=[0-9a-f]{16}$/,
    );
    assert.equal(JSON.stringify(entry).includes('the words'), false);
  });

  it('has another value for other words, the same for other line ends', () => {
    const value = (text: string) => entriesOf(readSteering, 'steering/a.md', text)[0]?.value;

    assert.notEqual(value('a\n'), value('b\n'));
    assert.equal(value('a\r\nb\r\n'), value('a\nb\n'));
  });
});
