import { type InstalledCli, installProgram } from '../shared/npm-program.ts';

/** Brings the published Gemini CLI below .cache/. */
export function installGeminiCli(): Promise<InstalledCli> {
  return installProgram({ package: '@google/gemini-cli', version: '0.61.0', command: 'gemini' });
}
