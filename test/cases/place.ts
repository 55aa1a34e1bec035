import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the paths of steps lie. */
export interface Place {
  readonly home: string;
  /** The case's steps/ folder. */
  readonly steps: string;
  /** A folder beside the home, on the same file system, that the agent does not watch. */
  readonly aside: string;
}

export function inHome(place: Place, path: string): string {
  return join(place.home, path);
}

export function inputOf(place: Place, name: string): Buffer {
  return readFileSync(join(place.steps, name));
}
