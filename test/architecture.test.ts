import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['agent', 'parsers', 'config', 'collector', 'installers', 'bench', 'tools'];
/** What developers run beside the product. */
const TOOLS = ['bench', 'tools'];
const MAX_LINES = 400;

interface Edge {
  readonly from: string;
  readonly to: string;
}

const files = FOLDERS.flatMap((folder) => sources(folder));
const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
const edges: Edge[] = files.flatMap((from) => importsOf(from).map((to) => ({ from, to })));

/** What a folder may import of our own code, beside itself. The order is that of the layers. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'agent/contract': [],
  parsers: ['agent/contract'],
  config: ['agent/contract'],
  'agent/store': ['agent/contract'],
  'agent/sinks': ['agent/contract'],
  'agent/deliver': ['agent/contract'],
  'agent/platform': ['agent/contract', 'package.json'],
  'agent/telemetry': ['agent/contract'],
  'agent/capture': ['agent/contract', 'agent/platform'],
  collector: ['agent/contract'],
  'agent/keeper': [
    'agent/contract',
    'agent/capture',
    'agent/deliver',
    'agent/sinks',
    'agent/store',
    'agent/platform',
    'agent/telemetry',
    'config',
    'collector',
    'parsers',
  ],
};

/** Packages and built-ins that only these folders may use. */
const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': ['agent/store', 'collector', 'bench'],
  'node:sqlite': ['bench'],
  chokidar: ['agent/capture'],
  winston: ['agent/telemetry'],
  'node-cron': ['agent/keeper'],
  commander: ['agent/cli'],
  zod: ['config'],
  yaml: ['config', 'tools', 'parsers/shared'],
  'node:os': ['agent/platform', 'bench'],
  'node:child_process': ['agent/platform', 'bench'],
};

describe('architecture', () => {
  it('looks at enough to mean something', () => {
    assert.ok(files.length > 100, `${files.length} files`);
    assert.ok(edges.length > 400, `${edges.length} imports`);
  });

  for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
    it(`lets ${folder} import only ${allowed.length === 0 ? 'itself' : allowed.join(', ')}`, () => {
      const wrong = edges.filter(
        ({ from, to }) =>
          isIn(from, folder) && isOwn(to) && !isIn(to, folder) && !allowed.some((other) => isIn(to, other)),
      );

      assert.deepEqual(wrong, []);
    });
  }

  for (const [name, folders] of Object.entries(ONLY_IN)) {
    it(`lets only ${folders.join(', ')} use ${name}`, () => {
      const wrong = edges.filter(
        ({ from, to }) =>
          (to === name || to.startsWith(`${name}/`)) && !folders.some((folder) => isIn(from, folder)),
      );

      assert.deepEqual(wrong, []);
    });
  }

  it('keeps parsers away from files, clocks, networks and randomness', () => {
    const wrong = edges.filter(
      ({ from, to }) =>
        isIn(from, 'parsers') && to.startsWith('node:') && !['node:crypto', 'node:buffer'].includes(to),
    );
    const clocks = files.filter(
      (file) => isIn(file, 'parsers') && /Date\.now|new Date\(\)|Math\.random|setTimeout/.test(textOf(file)),
    );

    assert.deepEqual(wrong, []);
    assert.deepEqual(clocks, []);
  });

  it('keeps one parser away from another', () => {
    const agents = readdirSync(join(ROOT, 'parsers'), { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && entry.name !== 'shared',
    );
    const wrong = agents.flatMap(({ name }) =>
      edges.filter(
        ({ from, to }) =>
          isIn(from, `parsers/${name}`) &&
          isIn(to, 'parsers') &&
          !isIn(to, `parsers/${name}`) &&
          !isIn(to, 'parsers/shared'),
      ),
    );

    assert.deepEqual(wrong, []);
  });

  it('reads the environment and the platform in one place', () => {
    const wrong = files.filter(
      (file) =>
        /process\.(env|platform|getuid)/.test(textOf(file)) &&
        !TOOLS.concat('agent/platform').some((folder) => isIn(file, folder)),
    );

    assert.deepEqual(wrong, []);
  });

  it('tells the time through the clock', () => {
    const wrong = files.filter(
      (file) =>
        /\b(Date\.now\(|setTimeout\(|setInterval\()/.test(textOf(file)) &&
        !TOOLS.concat('agent/platform').some((folder) => isIn(file, folder)),
    );

    assert.deepEqual(wrong, []);
  });

  it('imports nothing of the tests', () => {
    assert.deepEqual(
      edges.filter(({ from, to }) => isIn(to, 'test') && !isIn(from, 'bench')),
      [],
    );
  });

  it('has no cycle', () => {
    assert.deepEqual(findCycle(), []);
  });

  it('has named exports only, and no barrels', () => {
    const wrong = files.filter((file) => /^export (default|\*)/m.test(textOf(file)));

    assert.deepEqual(wrong, []);
  });

  it(`has no file over ${MAX_LINES} lines, and small ones in the middle`, () => {
    const lengths = files.map((file) => textOf(file).split('\n').length).sort((a, b) => a - b);
    const long = files.filter((file) => textOf(file).split('\n').length > MAX_LINES);

    assert.deepEqual(long, []);
    assert.ok((lengths[lengths.length >> 1] ?? 0) <= 100, `median ${lengths[lengths.length >> 1]}`);
  });
});

function sources(folder: string): string[] {
  try {
    return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  } catch {
    return [];
  }
}

/** Imported modules, our own as paths from the root; static, dynamic and type imports alike. */
function importsOf(file: string): string[] {
  const found = textOf(file).matchAll(
    /(?:^(?:import|export)[^;'"]*?from\s+|^import\s+|\bimport\()\s*['"]([^'"]+)['"]/gm,
  );
  return [...found].map(([, target = '']) =>
    target.startsWith('.') ? posix.normalize(posix.join(dirname(file), target)) : target,
  );
}

function textOf(file: string): string {
  return texts.get(file) ?? '';
}

function isOwn(target: string): boolean {
  return target === 'package.json' || FOLDERS.some((folder) => isIn(target, folder)) || isIn(target, 'test');
}

function isIn(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

function findCycle(): string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const next of targets.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  for (const file of files) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
