import { hash } from 'node:crypto';
import type { ProjectQuery, SmallFiles } from '../../agent/contract/source.ts';
import { parseJsonc } from '../shared/jsonc.ts';
import { asObject } from './records.ts';
import { isProjectHash } from './session-name.ts';

/** Files whose keys are absolute project paths. */
const KEYED_BY_PATH = ['trustedFolders.json', 'trusted_hooks.json', 'acknowledgments/agents.json'];

/**
 * Absolute path of the project a session file belongs to: the marker beside it, else the registry, else any
 * known path whose SHA-256 is the recorded hash or the folder's name. Never the folder's name itself.
 */
export function projectOf(query: ProjectQuery, small: SmallFiles): string | undefined {
  const project = query.path.split('/')[1];
  if (project === undefined) return undefined;
  return markerOf(small, project) ?? registered(small, project) ?? hashed(small, query.recorded, project);
}

function markerOf(small: SmallFiles, project: string): string | undefined {
  const path = small.text(`tmp/${project}/.project_root`)?.trim();
  return path === '' ? undefined : path;
}

function registered(small: SmallFiles, project: string): string | undefined {
  for (const [path, slug] of registry(small)) if (slug === project) return path;
  return undefined;
}

function hashed(small: SmallFiles, recorded: string | undefined, project: string): string | undefined {
  const wanted = isProjectHash(recorded) ? recorded : project;
  if (!isProjectHash(wanted)) return undefined;
  for (const path of projectsIn(small)) if (hash('sha256', path, 'hex') === wanted) return path;
  return undefined;
}

/** Projects that the store names anywhere. */
export function* projectsIn(small: SmallFiles): Generator<string> {
  for (const [path] of registry(small)) yield path;
  for (const file of KEYED_BY_PATH) yield* Object.keys(objectIn(small, file));
  for (const project of small.list('tmp')) {
    const path = markerOf(small, project);
    if (path !== undefined) yield path;
  }
}

function registry(small: SmallFiles): readonly (readonly [path: string, slug: unknown])[] {
  const { projects } = objectIn<{ readonly projects?: unknown }>(small, 'projects.json');
  return Object.entries(asObject<Record<string, unknown>>(projects) ?? {});
}

/** The JSON object in a small file; an empty one when it is missing, cut off or something else. */
function objectIn<Shape extends object>(small: SmallFiles, file: string): Partial<Shape> {
  const text = small.text(file);
  if (text === undefined) return {};
  try {
    return asObject<Shape>(parseJsonc(text)) ?? {};
  } catch {
    return {};
  }
}
