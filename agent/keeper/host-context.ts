import type { Config } from '../../config/resolve.ts';
import type { HostContext } from '../capture/row-writer.ts';
import type { Host } from '../platform/host.ts';

export function hostContext(host: Host, config: Config): HostContext {
  return { id: host.id, name: host.name, labels: config.labels, maxTextBytes: config.rows.maxTextBytes };
}
