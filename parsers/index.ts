import type { Source } from '../agent/contract/source.ts';
import { amazonQ } from './amazon-q/index.ts';
import { geminiCli } from './gemini-cli/index.ts';
import { kiroCli } from './kiro-cli/index.ts';
import { kiroIde } from './kiro-ide/index.ts';
import { qwenCode } from './qwen-code/index.ts';

/** Every source there is: one import and one line each. */
export const SOURCES: readonly Source[] = [geminiCli, qwenCode, amazonQ, kiroCli, kiroIde];
