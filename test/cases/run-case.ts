import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Case, loadCase } from './case.ts';
import { describeRow } from './describe.ts';
import { makeHome, type Owner, own, removeAll } from './home.ts';
import { createHomeGuard } from './home-guard.ts';
import type { Mode } from './listed-rows.ts';
import { type MatchResult, matchRows, type Received } from './match.ts';
import { brokenMusts } from './musts.ts';
import type { Place } from './place.ts';
import { differentIds, onlyInOne, type RunRows } from './same-ids.ts';
import { createStage, type Outcome, type Stage } from './stage.ts';
import { runSteps } from './steps.ts';

export interface RunOptions {
  /** Different row ids warm and cold fail every case, also those that do not promise them. */
  readonly strictIds?: boolean;
  /** Leaves the folder of the run where it is. */
  readonly keep?: boolean;
  /** Where the folder of the run is made; the system's temporary folder unless given. */
  readonly root?: string;
}

export interface CaseResult {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  readonly reasons: readonly string[];
  /** Worth a look, no failure. */
  readonly warnings: readonly string[];
  readonly seconds: number;
  /** Rows at the collector, for each run. */
  readonly rows: readonly string[];
  readonly workDir: string | undefined;
}

interface Findings {
  readonly reasons: string[];
  readonly warnings: string[];
  readonly rows: string[];
}

/** Runs one case warm and cold; never throws. */
export async function runCase(dir: string, options: RunOptions = {}): Promise<CaseResult> {
  const began = performance.now();
  const findings: Findings = { reasons: [], warnings: [], rows: [] };
  const name = basename(dir);
  let workDir: string | undefined;
  let skipped: string | undefined;
  try {
    const caseOf = loadCase(dir);
    skipped = otherPlatform(caseOf);
    if (skipped === undefined) {
      workDir = mkdtempSync(join(options.root ?? tmpdir(), 'hf-case-'));
      await runVariants(caseOf, { workDir, options, findings });
    }
  } catch (error) {
    findings.reasons.push(error instanceof Error ? error.message : String(error));
  }
  if (workDir !== undefined && options.keep !== true) removeAll(workDir);
  const { reasons, warnings, rows } = findings;
  return {
    name,
    status: skipped !== undefined ? 'skipped' : reasons.length > 0 ? 'failed' : 'passed',
    reasons: skipped === undefined ? reasons : [skipped],
    warnings,
    rows,
    seconds: (performance.now() - began) / 1000,
    workDir: options.keep === true ? workDir : undefined,
  };
}

const PLATFORMS: Readonly<Record<string, string>> = { windows: 'win32', macos: 'darwin', mac: 'darwin' };

function otherPlatform({ platforms }: Case): string | undefined {
  const wanted = platforms.map((name) => PLATFORMS[name.toLowerCase()] ?? name);
  if (wanted.length === 0 || wanted.includes(process.platform)) return undefined;
  return `only on ${platforms.join(', ')}`;
}

interface Scope {
  readonly workDir: string;
  readonly options: RunOptions;
  readonly findings: Findings;
}

/** Once for each thing that the case wants refused, else once. */
async function runVariants(caseOf: Case, scope: Scope): Promise<void> {
  const codes = caseOf.inject?.['fs.watch'];
  if (!codes) return runVariant(caseOf, scope, undefined);
  for (const code of codes) {
    const findings: Findings = { reasons: [], warnings: [], rows: [] };
    await runVariant(caseOf, { ...scope, findings, workDir: subDir(scope.workDir, code) }, code);
    for (const key of ['reasons', 'warnings', 'rows'] as const)
      scope.findings[key].push(...findings[key].map((text) => `with ${code}: ${text}`));
  }
}

function subDir(dir: string, name: string): string {
  const path = join(dir, name);
  mkdirSync(path);
  return path;
}

/** The warm run goes first and leaves the home in its final state, which is what the cold run reads. */
async function runVariant(caseOf: Case, scope: Scope, watchCode: string | undefined): Promise<void> {
  const { workDir } = scope;
  const owner = ordinaryUser(caseOf);
  own(workDir, owner);
  const place: Place = {
    home: join(workDir, 'home'),
    steps: join(caseOf.dir, 'steps'),
    aside: join(workDir, 'aside'),
  };
  makeHome(caseOf, place.home, owner);
  const stageOf = (mode: Mode) =>
    createStage({ caseOf, home: place.home, dir: join(workDir, mode), watchCode, owner });
  if (caseOf.steps.length === 0) {
    judge(caseOf, 'once', { ...scope, outcome: await plainRun(await stageOf('once'), place.home) });
    return;
  }
  const warm = judge(caseOf, 'warm', {
    ...scope,
    outcome: await steppedRun(caseOf, await stageOf('warm'), { place, owner }),
  });
  const cold = judge(caseOf, 'cold', {
    ...scope,
    outcome: await plainRun(await stageOf('cold'), place.home),
  });
  compareIds(caseOf, { warm, cold }, scope);
}

async function steppedRun(
  caseOf: Case,
  stage: Stage,
  { place, owner }: { readonly place: Place; readonly owner: Owner | undefined },
): Promise<Outcome> {
  const guard = createHomeGuard(place.home);
  try {
    const { problems, notes } = await runSteps({ steps: caseOf.steps, stage, place, owner, guard });
    const outcome = await stage.finish();
    guard.check();
    return {
      ...outcome,
      problems: [...problems, ...guard.problems(), ...outcome.problems],
      notes: [...notes, ...outcome.notes],
    };
  } finally {
    await stage.close();
  }
}

async function plainRun(stage: Stage, home: string): Promise<Outcome> {
  const guard = createHomeGuard(home);
  try {
    await stage.start();
    const outcome = await stage.finish();
    guard.check();
    return { ...outcome, problems: [...guard.problems(), ...outcome.problems] };
  } finally {
    await stage.close();
  }
}

/** Compares the rows of one run with the listed ones and notes what is wrong. */
function judge(
  caseOf: Case,
  mode: Mode,
  { outcome, findings }: { readonly outcome: Outcome; readonly findings: Findings },
): RunRows {
  const { received, problems, notes } = outcome;
  const result = matchRows(caseOf.listed, received, {
    mode,
    allButLive: caseOf.cold === 'all_but_live',
    allowExtra: caseOf.allow_extra_rows,
    secondary: caseOf.secondary,
  });
  const prefix = mode === 'once' ? '' : `${mode}: `;
  const musts = brokenMusts(caseOf.musts, received, mode);
  findings.reasons.push(...[...result.problems, ...musts, ...problems].map((text) => prefix + text));
  findings.warnings.push(...[...notes, ...unlistedComplaints(received, result)].map((text) => prefix + text));
  findings.rows.push(`${prefix}${countsOf(received)}`);
  return { received, result };
}

/** No failure by the rules, but often just what the notes of the case say must not come. */
function unlistedComplaints(received: readonly Received[], { matched }: MatchResult): string[] {
  const listed = new Set([...matched.values()].flat());
  return received
    .filter(({ row }) => row.event?.startsWith('parser.') === true && !listed.has(row))
    .map(({ row }) => `parser row that is not listed: ${describeRow(row)}`);
}

function countsOf(received: readonly Received[]): string {
  const counts = new Map<string, number>();
  for (const { row } of received) counts.set(row.turn_type, (counts.get(row.turn_type) ?? 0) + 1);
  return [...counts].map(([turn, number]) => `${number} ${turn}`).join(', ') || 'no rows';
}

function compareIds(
  caseOf: Case,
  runs: { readonly warm: RunRows; readonly cold: RunRows },
  { options, findings }: Scope,
): void {
  const different = differentIds(caseOf.listed, runs, caseOf.sameIds ? 'all' : 'conversation');
  const isPromise = caseOf.sameIds || options.strictIds === true;
  findings[isPromise ? 'reasons' : 'warnings'].push(...different);
  if (caseOf.sameIds && caseOf.cold === undefined) findings.reasons.push(...onlyInOne(runs.warm, runs.cold));
}

/** The account with the least rights that every Unix has. */
const NOBODY: Owner = { uid: 65_534, gid: 65_534 };

/** Nothing can be refused to root, so such a case runs as another user; undefined: as the runner's own. */
function ordinaryUser({ not_as_root: wanted }: Case): Owner | undefined {
  return wanted && process.getuid?.() === 0 ? NOBODY : undefined;
}
