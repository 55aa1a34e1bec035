import type { Attributes } from '../../agent/contract/row.ts';

/** Modes of autonomy in which the agent acts without asking; sessions and settings name them differently. */
const TRUSTING = new Set(['autopilot', 'full']);

export function modeFacts(mode: string): Attributes {
  return { mode, ...(TRUSTING.has(mode.toLowerCase()) && { trust_all: true }) };
}
