import { type InstalledCli, installProgram } from '../shared/npm-program.ts';

/** Brings the published Qwen Code below .cache/. */
export function installQwenCode(): Promise<InstalledCli> {
  return installProgram({ package: '@qwen-code/qwen-code', version: '0.24.4', command: 'qwen' });
}
