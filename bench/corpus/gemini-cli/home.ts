import { hash } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sum } from '../../lib/stats.ts';
import type { CorpusAgent, CorpusPlan } from '../agent.ts';
import type { ManifestSession } from '../manifest.ts';
import type { Rng } from '../rng.ts';
import { largeSizes, smallSize } from '../sizes.ts';
import { word } from '../text.ts';
import { iso } from './messages.ts';
import { session } from './session.ts';

const DAY_MS = 86_400_000;

interface Project {
  readonly cwd: string;
  readonly slug: string;
  readonly hash: string;
}

/** `.gemini` of a home: sessions of several projects, and the files that tell which projects they are. */
export const geminiCli: CorpusAgent = {
  id: 'gemini-cli',
  write(home, rng, plan) {
    const projects = makeProjects(rng.fork('projects'), plan.projects);
    const sessions: ManifestSession[] = [];
    const add = (bytes: number) =>
      sessions.push(writeSession(home, rng.fork(`session ${sessions.length}`), { bytes, plan, projects }));
    for (const bytes of largeSizes(plan.bytes)) add(bytes);
    const sizes = rng.fork('sizes');
    while (sum(sessions.map(({ bytes }) => bytes)) < plan.bytes) add(smallSize(sizes));
    writeProjects(home, projects);
    return sessions;
  },
};

export function makeProjects(rng: Rng, count: number): Project[] {
  return Array.from({ length: count }, (_, index) => {
    const slug = `${word(rng)}-${word(rng)}-${index}`;
    const cwd = `/home/alice/code/${slug}`;
    return { cwd, slug, hash: hash('sha256', cwd, 'hex') };
  });
}

export function writeProjects(home: string, projects: readonly Project[]): void {
  for (const { slug, cwd } of projects) write(join(home, '.gemini', 'tmp', slug, '.project_root'), cwd);
  const registry = { projects: Object.fromEntries(projects.map(({ cwd, slug }) => [cwd, slug])) };
  write(join(home, '.gemini', 'projects.json'), JSON.stringify(registry, null, 2));
}

interface Wanted {
  readonly bytes: number;
  readonly plan: Pick<CorpusPlan, 'end' | 'days'>;
  readonly projects: readonly Project[];
}

export function writeSession(home: string, rng: Rng, { bytes, plan, projects }: Wanted): ManifestSession {
  const project = rng.pick(projects);
  const kind = rng.chance(0.06) ? 'subagent' : 'main';
  const start = plan.end - Math.floor(rng.float() * plan.days * DAY_MS);
  const made = session(rng, bytes, { cwd: project.cwd, projectHash: project.hash, kind, start });
  const { sessionId } = made.facts;
  const name =
    kind === 'main'
      ? `session-${iso(start).slice(0, 16).replace(':', '-')}-${sessionId.slice(0, 8)}.jsonl`
      : `${rng.uuid()}/${sessionId}.jsonl`;
  const file = `.gemini/tmp/${project.slug}/chats/${name}`;
  write(join(home, file), made.content);
  const modified = Math.min(made.end, plan.end) / 1000;
  utimesSync(join(home, file), modified, modified);
  return { agent: 'gemini-cli', file, session: sessionId, bytes: made.content.length, ...made.counts };
}

function write(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
