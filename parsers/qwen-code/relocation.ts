import type { SmallFiles } from '../../agent/contract/source.ts';
import { asObject, asText, valueAt } from '../shared/fields.ts';
import { parseJsonc } from '../shared/jsonc.ts';

/**
 * Where the settings put sessions and histories (`advanced.runtimeOutputDir`) [S]: absolute, or below the home. A
 * relative path counts from the directory of each run and cannot be found from here.
 */
export function storesIn(small: SmallFiles): readonly string[] {
  const dir = asText(valueAt(settingsIn(small), 'advanced.runtimeOutputDir'));
  if (dir === undefined) return [];
  if (/^~[\\/]/.test(dir)) return [dir.slice(2)];
  return dir.startsWith('/') || /^[A-Za-z]:[\\/]/.test(dir) ? [dir] : [];
}

function settingsIn(small: SmallFiles): Readonly<Record<string, unknown>> {
  try {
    return asObject(parseJsonc(small.text('settings.json') ?? '{}')) ?? {};
  } catch {
    return {};
  }
}
