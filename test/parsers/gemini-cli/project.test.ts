import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import type { SmallFiles } from '../../../agent/contract/source.ts';
import { projectOf } from '../../../parsers/gemini-cli/project.ts';

function files(texts: Readonly<Record<string, string>>): SmallFiles {
  return {
    text: (relative) => texts[relative],
    list: (relative) => [
      ...new Set(
        Object.keys(texts)
          .filter((path) => path.startsWith(`${relative}/`))
          .map((path) => path.slice(relative.length + 1).split('/')[0] ?? ''),
      ),
    ],
  };
}

function find(
  texts: Readonly<Record<string, string>>,
  project: string,
  recorded?: string,
): string | undefined {
  return projectOf({ path: `tmp/${project}/chats/session-x.jsonl`, recorded }, files(texts));
}

const PATH = '/srv/checkout/ui';
const HASH = hash('sha256', PATH, 'hex');

describe('parsers/gemini-cli/project', () => {
  it('reads the marker beside the session', () => {
    assert.equal(find({ 'tmp/ui/.project_root': `${PATH}\n` }, 'ui'), PATH);
  });

  it('keeps a Windows path as recorded, without the line end', () => {
    assert.equal(
      find({ 'tmp/api/.project_root': 'c:\\users\\alice\\work\\api\r\n' }, 'api'),
      'c:\\users\\alice\\work\\api',
    );
  });

  it('looks the slug up in the registry', () => {
    const registry = JSON.stringify({ projects: { '/a': 'a', [PATH]: 'ui' } });

    assert.equal(find({ 'projects.json': registry }, 'ui'), PATH);
  });

  it('compares the recorded hash with every known path', () => {
    const places: readonly Readonly<Record<string, string>>[] = [
      { 'trustedFolders.json': JSON.stringify({ '/a': 'TRUST_FOLDER', [PATH]: 'TRUST_PARENT' }) },
      { 'trustedFolders.json': `{ /* mine */ ${JSON.stringify(PATH)}: "TRUST_FOLDER", }` },
      { 'trusted_hooks.json': JSON.stringify({ [PATH]: ['lint:npm run lint'] }) },
      { 'acknowledgments/agents.json': JSON.stringify({ [PATH]: { reviewer: '01' } }) },
      { 'tmp/other/.project_root': PATH },
      { 'projects.json': JSON.stringify({ projects: { [PATH]: 'another-slug' } }) },
    ];

    for (const texts of places) assert.equal(find(texts, 'ui', HASH), PATH, JSON.stringify(texts));
  });

  it('compares the name of the folder when nothing is recorded', () => {
    assert.equal(find({ 'tmp/ui/.project_root': PATH }, HASH), PATH);
  });

  it('passes over files that are cut off or something else', () => {
    const texts = {
      'projects.json': '{\n  "projects": {\n    "/srv/checkout/api": "api",\n    "/srv/chec',
      'trustedFolders.json': JSON.stringify({ [PATH]: 'TRUST_PARENT' }),
      'trusted_hooks.json': '[]',
      'acknowledgments/agents.json': 'null',
    };

    assert.equal(find(texts, 'ui', HASH), PATH);
  });

  it('is unknown rather than the slug', () => {
    assert.equal(find({ 'tmp/ui/.project_root': ' \n' }, 'ui', 'no hash'), undefined);
    assert.equal(find({}, 'ui', HASH), undefined);
  });
});
