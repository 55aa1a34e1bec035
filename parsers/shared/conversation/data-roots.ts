import type { SourceRoot } from '../../../agent/contract/source.ts';

/** A program's own directory among the user's data, on every platform. */
export function dataRoots(name: string): SourceRoot[] {
  return [
    {
      path: `.local/share/${name}`,
      env: [
        { name: 'XDG_DATA_HOME', names: 'parent', path: name },
        { name: 'LOCALAPPDATA', names: 'parent', path: name },
      ],
    },
    { path: `Library/Application Support/${name}` },
    { path: `AppData/Local/${name}` },
  ];
}
