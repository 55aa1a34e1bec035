/**
 * What HEAD names: a branch, or a commit while no branch is checked out (gitrepository-layout(5)). What stands in
 * HEAD is all that is looked at, so a branch without a commit has its name too.
 */
export type GitHead =
  | { readonly kind: 'branch'; readonly name: string }
  | { readonly kind: 'detached'; readonly commit: string };

const BRANCHES = 'refs/heads/';

/** A commit's SHA-1 or SHA-256. */
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** What git-check-ref-format(1) forbids in a name; `.invalid`, the placeholder of reftable repositories, is among it. */
const NO_NAME = /[\x00-\x20\x7f~^:?*[\\\ufffd]|\.\.|@\{|\/\/|(?:^|\/)\.|\.lock(?:\/|$)|[/.]$|^\/|^$|^@$/;

/** The text of a HEAD file; undefined when it names neither a branch nor a commit. */
export function parseGitHead(text: string): GitHead | undefined {
  const line = text.replace(/[\r\n\t ]+$/, '');
  if (COMMIT.test(line)) return { kind: 'detached', commit: line };
  const target = /^ref:[ \t]*(.+)$/.exec(line)?.[1];
  return target === undefined ? undefined : branchOf(target);
}

/** A reference as the branch it is; undefined for any other reference. */
export function branchOf(reference: string): GitHead | undefined {
  if (!reference.startsWith(BRANCHES)) return undefined;
  const name = reference.slice(BRANCHES.length);
  return NO_NAME.test(name) ? undefined : { kind: 'branch', name };
}
