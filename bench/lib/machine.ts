import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';

/** What a figure depends on beside the code. */
export interface Machine {
  readonly node: string;
  readonly platform: string;
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGb: number;
  /** Load average of the last minute. */
  readonly load: number;
}

export function machineFacts(): Machine {
  return {
    node: process.version,
    platform: `${platform()} ${arch()}`,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}
