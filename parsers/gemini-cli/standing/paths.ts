/** Which standing files are read, root-relative. Called for every path of a home. */

const POLICIES = 'policies/';
const EXTENSIONS = 'extensions/';

/** Every policy, and the copy of an unreadable auto-saved one; not the files that are renamed a moment later. */
export function isPolicy(path: string): boolean {
  if (!path.startsWith(POLICIES) || path.indexOf('/', POLICIES.length) >= 0) return false;
  const name = path.slice(POLICIES.length);
  return name === 'auto-saved.toml.bak' || (name.endsWith('.toml') && name.length > '.toml'.length);
}

export function isExtension(path: string): boolean {
  return isInExtension(path, 'gemini-extension.json');
}

export function isExtensionInstall(path: string): boolean {
  return isInExtension(path, '.gemini-extension-install.json');
}

function isInExtension(path: string, name: string): boolean {
  if (!path.startsWith(EXTENSIONS)) return false;
  const slash = path.indexOf('/', EXTENSIONS.length);
  return slash > EXTENSIONS.length && path.slice(slash + 1) === name;
}
