import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Step } from './case-form.ts';
import { lockDatabase, runSql, runSqlLoop } from './database-steps.ts';
import { applyFileStep, isFileStep, writeOnInode } from './file-steps.ts';
import { type Owner, ownAll } from './home.ts';
import type { HomeGuard } from './home-guard.ts';
import { inHome, type Place } from './place.ts';
import { play } from './play.ts';
import type { Stage } from './stage.ts';

export interface StepRun {
  /** What went wrong beside the rows and the home: a writer that was held up. */
  readonly problems: readonly string[];
  /** What the machine did not let the case test. */
  readonly notes: readonly string[];
}

interface Scene extends Omit<StepOptions, 'steps'> {
  readonly problems: string[];
  readonly notes: string[];
  /** What goes on beside the further steps. */
  readonly beside: Promise<void>[];
  lastDeletedInode: bigint | undefined;
}

export interface StepOptions {
  readonly steps: readonly Step[];
  readonly stage: Stage;
  readonly place: Place;
  readonly owner: Owner | undefined;
  readonly guard: HomeGuard;
}

/** Runs the steps in order, while the agent runs. */
export async function runSteps({ steps, ...options }: StepOptions): Promise<StepRun> {
  const { stage, place } = options;
  const scene: Scene = { ...options, problems: [], notes: [], beside: [], lastDeletedInode: undefined };
  mkdirSync(place.aside, { recursive: true });
  if (!steps.some(({ op }) => op === 'start_agent')) await stage.start();
  for (const step of steps) await runStep(step, scene);
  await Promise.all(scene.beside);
  if (!stage.isRunning) await stage.start();
  return scene;
}

async function runStep(step: Step, scene: Scene): Promise<void> {
  const { stage, place } = scene;
  if (isFileStep(step)) {
    await change(scene, () => changeFiles(step, scene));
    return;
  }
  switch (step.op) {
    case 'wait_ms':
      await new Promise((resolve) => setTimeout(resolve, step.ms));
      return;
    case 'wait_idle':
      await stage.waits.idle();
      return;
    case 'wait_settle':
      await stage.waits.settled();
      return;
    case 'wait_rescan':
      await stage.waits.rescan();
      return;
    case 'start_agent':
      await stage.start();
      return;
    case 'restart_agent':
      await stage.restart(step.how);
      return;
    case 'sql':
      await change(scene, () => {
        runSql(step, place);
        return [step.path];
      });
      return;
    case 'play':
      await change(scene, () => play(step, place));
      return;
    case 'sql_loop':
      await beside(scene, step.path, { task: () => runSqlLoop(step, place), wait: step.parallel !== true });
      return;
    case 'lock_db':
      await beside(scene, step.path, { task: () => lockDatabase(step, place), wait: false });
      return;
    case 'delete_on_first_open':
      setTrap(step.path, scene);
      return;
  }
}

/** A step that writes: whatever else changed in the home since the last one, the agent did. */
async function change(scene: Scene, write: () => Promise<string[]> | string[]): Promise<void> {
  const { guard, place, owner, stage } = scene;
  guard.check();
  const paths = await write();
  for (const path of paths) ownAll(inHome(place, path), owner);
  guard.accept(paths);
  stage.changed();
}

async function changeFiles(step: Parameters<typeof applyFileStep>[0], scene: Scene): Promise<string[]> {
  const { place } = scene;
  if (step.op === 'delete') {
    scene.lastDeletedInode = lstatSync(inHome(place, step.path), { bigint: true }).ino;
  }
  if (step.op !== 'write' || step.same_inode_as_deleted !== true) return applyFileStep(step, place);
  const reused = await writeOnInode(step, place, scene.lastDeletedInode);
  if (!reused) scene.notes.push('the file system did not give the inode of the deleted file again');
  return [step.path];
}

/** Something that goes on writing to a database while the next steps run, or is waited for. */
async function beside(
  scene: Scene,
  path: string,
  { task, wait }: { readonly task: () => Promise<string[]>; readonly wait: boolean },
): Promise<void> {
  const { guard, problems, stage } = scene;
  guard.check();
  guard.busy([path]);
  const done = task().then((failures) => {
    problems.push(...failures);
    guard.release([path]);
    stage.changed();
  });
  if (wait) return await done;
  // Waited for after the last step; a step that fails first must not make this one an unhandled rejection.
  done.catch(() => undefined);
  scene.beside.push(done);
}

/** The preloaded module watches for the file that names the path. */
function setTrap(path: string, { stage, guard, place, owner }: Scene): void {
  guard.busy([path]);
  writeFileSync(stage.trapFile, join(place.home, path));
  ownAll(stage.trapFile, owner);
}
