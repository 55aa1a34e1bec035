import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { AgentUnderTest, MAIN } from '../support/agent-process.ts';
import { tempDir } from '../support/temp.ts';
import { until } from '../support/until.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');
const SECRET = 'sk-holdfast-planted-secret';
const STRACE = ['strace', '-f', '-qq', '-s', '4096', '-e', 'trace=open,openat,openat2,creat,execve'];

/** Every place where one of the coding agents keeps a secret, and places where one could be mistaken for a source. */
const CREDENTIALS = [
  '.gemini/oauth_creds.json',
  '.gemini/google_accounts.json',
  '.gemini/gemini-credentials.json',
  '.gemini/mcp-oauth-tokens.json',
  '.gemini/mcp-oauth-tokens-v2.json',
  '.gemini/a2a-oauth-tokens.json',
  '.gemini/.env',
  '.gemini/installation_id',
  '.gemini/policies/.env',
  '.gemini/extensions/deploy/.env',
  '.gemini/tmp/shop/.env',
  '.gemini/tmp/shop/oauth_creds.json',
  '.gemini/tmp/shop/chats/oauth_creds.json',
  '.gemini/tmp/shop/chats/mcp-oauth-tokens.json',
  '.gemini/tmp/bug-memory-1760000000000.heapsnapshot',
  '.gemini/tmp/shop/bug-memory-1760000000000.heapsnapshot',
  '.qwen/oauth_creds.json',
  '.qwen/google_accounts.json',
  '.qwen/mcp-oauth-tokens.json',
  '.qwen/.env',
  '.qwen/sessions/4711.json',
  '.env',
  '.netrc',
  '.aws/credentials',
  '.aws/sso/cache/token.json',
  '.ssh/id_ed25519',
  '.config/gcloud/application_default_credentials.json',
  '.local/share/keyrings/login.keyring',
] as const;

describe('credential stores', function () {
  this.timeout(120_000);

  before(() => {
    const found = spawnSync('strace', ['-V']);
    assert.equal(found.status, 0, 'this test needs strace: apt-get install strace');
  });

  it('are never opened by a running agent, nor does any of it leave the machine', async () => {
    const agent = await AgentUnderTest.create();
    fillHome(agent.home);
    const trace = join(tempDir('trace'), 'trace');

    await agent.start([...STRACE, '-D', '-o', trace]);
    await until('rows of both agents', async () => (await agentsIn(agent)).size >= 2, 60_000);
    for (const change of [rewrite, replace, append]) {
      for (const path of CREDENTIALS) change(join(agent.home, path));
      const sweep = (await agent.health())?.homes[0]?.last_full_sweep_at;
      await agent.control.sweep();
      await until(
        'another sweep',
        async () => (await agent.health())?.homes[0]?.last_full_sweep_at !== sweep,
        60_000,
      );
    }
    const rows = await agent.rows();
    assert.equal(await agent.kill('SIGTERM'), 0);

    assertClean(openedIn(trace), agent.home);
    assert.ok(!JSON.stringify(rows).includes(SECRET));
    assert.deepEqual(filesWith(SECRET, agent.stateDir), []);
  });

  it('are never opened by a scan of a copied home', () => {
    const home = tempDir('home');
    fillHome(home);
    const trace = join(tempDir('trace'), 'trace');
    const [program = '', ...args] = [...STRACE, '-o', trace, process.execPath, MAIN, 'scan', '--home', home];

    const { status, stdout } = spawnSync(program, [...args, '--format', 'jsonl'], { encoding: 'utf8' });

    assert.equal(status, 0);
    assert.ok(stdout.split('\n').length > 100);
    assert.ok(!stdout.includes(SECRET));
    assertClean(openedIn(trace), home);
  });
});

function fillHome(home: string): void {
  for (const agent of ['gemini-cli', 'qwen-code'])
    cpSync(join(FIXTURES, agent, 'real-home/home'), home, { recursive: true });
  for (const path of CREDENTIALS) rewrite(join(home, path));
}

function rewrite(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ access_token: SECRET, at: process.hrtime.bigint().toString() }));
}

function replace(path: string): void {
  writeFileSync(`${path}.tmp`, SECRET);
  renameSync(`${path}.tmp`, path);
}

function append(path: string): void {
  appendFileSync(path, `\n${SECRET}\n`);
}

async function agentsIn(agent: AgentUnderTest): Promise<Set<string | null>> {
  const rows = await agent.rows();
  return new Set(rows.map((row) => row.agent).filter((name) => name !== null));
}

/** Paths that were opened, or tried to, by the program and every process that it started. */
function openedIn(trace: string): string[] {
  const calls = readFileSync(trace, 'utf8').matchAll(
    /\b(?:open|openat|openat2|creat)\((?:[^,"]+, )?"([^"]*)"/g,
  );
  return [...calls].map(([, path = '']) => path);
}

function assertClean(opened: readonly string[], home: string): void {
  const inHome = opened.filter((path) => path.startsWith(home));
  const secrets = CREDENTIALS.flatMap((path) => [path, `${path}.tmp`]).map((path) => join(home, path));

  assert.ok(
    inHome.filter((path) => path.includes('/chats/')).length > 20,
    'sessions were opened, so opening is seen',
  );
  assert.deepEqual(
    inHome.filter((path) => secrets.includes(path)),
    [],
  );
}

function filesWith(text: string, dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => existsSync(path) && readFileSync(path).includes(text));
}
