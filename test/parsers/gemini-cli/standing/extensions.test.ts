import assert from 'node:assert/strict';
import { entriesOf, subjectsOf } from '../specs.ts';

const MANIFEST = 'extensions/wiki/gemini-extension.json';
const INSTALL = 'extensions/wiki/.gemini-extension-install.json';

describe('parsers/gemini-cli/standing/extensions', () => {
  it('gives what an extension says of itself', () => {
    const text = JSON.stringify({
      name: 'wiki',
      version: '1.2.0',
      mcpServers: { b: { env: { T: 'secret' } }, a: {} },
    });

    const [entry] = entriesOf(MANIFEST, text);

    assert.equal(entry?.subject, 'wiki version=1.2.0 mcp_servers=a,b');
    assert.deepEqual([entry.label, entry.event], ['extension', 'extension.installed']);
  });

  it('gives where it came from, without credentials', () => {
    const source = 'https://u:secret@example.com/x.git';
    const text = JSON.stringify({ source, type: 'git', ref: 'main', autoUpdate: true });

    assert.deepEqual(subjectsOf(INSTALL, text), [
      'wiki source=https://example.com/x.git type=git ref=main auto_update=true',
    ]);
  });

  it('does without any of it', () => {
    assert.deepEqual(subjectsOf(MANIFEST, '{}'), ['-']);
    assert.deepEqual(subjectsOf(INSTALL, '{}'), ['wiki']);
  });
});
