/** What trust makes of a variable is what the shell of the hook makes of it: each line is approved and then really run. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines for a shell.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fingerprint } from '../../../src/config/trust/fingerprint.js';
import { createTrustStore } from '../../../src/config/trust/trust-store.js';
import { trustSubjects } from '../../../src/config/trust/trust-subjects.js';
import { createVerifier } from '../../../src/config/trust/verify.js';
import { loadClaudeSettings, loadHooklineConfig } from '../../../src/dialects/loaders.js';
import { Runner } from '../../../src/runner/runner.js';
import { trustTest } from './support.js';

interface Case {
  readonly line: string;
  /** What the settings file of the workspace sets. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the settings file of the user sets. */
  readonly userEnv?: Readonly<Record<string, string>>;
  /** Fields of the entry that no dialect reads there. */
  readonly entry?: object;
  /** The folder of the script that runs; undefined: it cannot be approved. */
  readonly runs?: string;
  readonly passed?: readonly string[];
}

const CASES: readonly Case[] = [
  { line: '"$TRUST_PLAIN"/g.sh', runs: 'a' },
  { line: '"${TRUST_PLAIN:-b}"/g.sh', runs: 'a' },
  { line: '"${TRUST_UNSET:-b}"/g.sh', runs: 'b' },
  // Withheld: the hook would see an empty text, or the value where an approval passes it on.
  { line: '"$TRUST_TOKEN"/g.sh' },
  { line: '"${TRUST_TOKEN:-b}"/g.sh' },
  { line: '"${TRUST_TOKEN:-b}"/g.sh', passed: ['TRUST_TOKEN'] },
  { line: '"${NODE_PATH:-b}"/g.sh' },
  // Set anew for every run.
  { line: './"${HOOKLINE_TOOL_NAME:-b}"/g.sh' },
  { line: './"${HOOKLINE_SESSION_ID:-b}"/g.sh' },
  { line: './"${CLAUDE_ENV_FILE-b}"/g.sh' },
  { line: './"${CLAUDE_EFFORT:-b}"/g.sh' },
  { line: './"${GEMINI_SESSION_ID:-b}"/g.sh' },
  { line: './"${GEMINI_PLANS_DIR:-b}"/g.sh' },
  { line: './"$HOOKLINE_EVENT"/g.sh', runs: 'PreToolUse' },
  { line: '"${CLAUDE_TRUST_X:-b}"/g.sh', runs: 'a' },
  // What the files set.
  { line: '"$TRUST_PLAIN"/g.sh', env: { TRUST_PLAIN: 'b' }, runs: 'b' },
  { line: '"$TRUST_PLAIN"/g.sh', userEnv: { TRUST_PLAIN: 'b' }, runs: 'b' },
  { line: '"$TRUST_PLAIN"/g.sh', env: { TRUST_PLAIN: 'b' }, userEnv: { TRUST_PLAIN: 'c' }, runs: 'b' },
  { line: '"$CLAUDE_PROJECT_DIR"/b/g.sh', env: { CLAUDE_PROJECT_DIR: '/nowhere' }, runs: 'b' },
  { line: '"$TRUST_PLAIN"/g.sh', entry: { env: { TRUST_PLAIN: 'b' } }, runs: 'a' },
  { line: '"$PWD"/b/g.sh', runs: 'b' },
];

const made: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function makeFolders(): { workspace: string; home: string; elsewhere: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-variables-')));
  made.push(root);
  const [workspace, home, elsewhere] = [join(root, 'workspace'), join(root, 'home'), join(root, 'elsewhere')];
  for (const place of [workspace, elsewhere])
    for (const name of ['a', 'b', 'c', 'PreToolUse', 'Bash', 's1'])
      write(join(place, name, 'g.sh'), `#!/bin/sh\necho ${place}/${name} >> ${root}/ran\n`);
  mkdirSync(home);
  return { workspace, home, elsewhere };
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode: 0o755 });
}

function stub(elsewhere: string): void {
  vi.stubEnv('TRUST_PLAIN', 'a');
  vi.stubEnv('TRUST_TOKEN', 'a');
  vi.stubEnv('NODE_PATH', 'a');
  vi.stubEnv('CLAUDE_TRUST_X', 'a');
  vi.stubEnv('CLAUDE_PROJECT_DIR', elsewhere);
}

describe('a variable in what a hook executes', () => {
  it.each(CASES)('TR-3 TR-21 $line, with $env and $userEnv, runs $runs', async (each) => {
    const { workspace, home, elsewhere } = makeFolders();
    stub(elsewhere);
    vi.stubEnv('PWD', workspace);
    const { line, env, userEnv, entry, runs, passed = [] } = each;
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: line, ...entry }] }] };
    write(join(workspace, '.claude/settings.json'), JSON.stringify({ env, hooks }));
    write(join(home, 'settings.json'), JSON.stringify({ env: userEnv }));
    const store = createTrustStore({ file: join(home, 'hookline', 'trust.json') });
    const load = () => loadClaudeSettings({ cwd: workspace, configDir: home, trust: store });
    const approving = store.approve(workspace, trustSubjects(await load()), { env: passed });
    if (runs === undefined) {
      await expect(approving).rejects.toMatchObject({ code: 'hook_unresolved' });
      return;
    }
    await approving;
    const loaded = await load();
    const [subject] = trustSubjects(loaded);
    const files = (await store.review(workspace, subject ? [subject] : [])).statuses;
    expect(files).toEqual(['trusted']);
    await fire(loaded, elsewhere);
    expect(readFileSync(join(workspace, '../ran'), 'utf8')).toBe(`${workspace}/${runs}\n`);
    // It is that script which the approval covers.
    writeFileSync(join(workspace, runs, 'g.sh'), '#!/bin/sh\nexit 0\n');
    expect((await store.review(workspace, trustSubjects(await load()))).statuses).toEqual(['modified']);
  });

  it('TR-3 in a hookline file, $CLAUDE_PROJECT_DIR is the folder of the file, wherever the agent works', async () => {
    const { workspace, home, elsewhere } = makeFolders();
    stub(elsewhere);
    const line = '"$CLAUDE_PROJECT_DIR"/b/g.sh';
    write(
      join(workspace, 'hookline.json'),
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: line }] }] } }),
    );
    const store = createTrustStore({ file: join(home, 'hookline', 'trust.json') });
    const load = () => loadHooklineConfig({ cwd: workspace, configDir: home, trust: store });
    await store.approve(workspace, trustSubjects(await load()));
    await fire(await load(), elsewhere);
    expect(readFileSync(join(workspace, '../ran'), 'utf8')).toBe(`${workspace}/b\n`);
  });
});

async function fire(loaded: Parameters<Runner['use']>[0], cwd: string): Promise<void> {
  await using runner = new Runner({ cwd, sessionId: 's1', onWarning: () => {} });
  runner.use(loaded);
  const { failures } = await runner.fire('PreToolUse', {
    tool_name: 'Bash',
    tool_input: {},
    tool_use_id: 't1',
  });
  expect(failures).toEqual([]);
}

trustTest('TR-20 a variable of the environment that changes is looked at again', async ({ trust }) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  try {
    vi.stubEnv('TRUST_PLAIN', 'one');
    trust.write('one/g.sh', 'exit 2\n');
    trust.write('two/g.sh', 'exit 0\n');
    const hook = trust.hook('./$TRUST_PLAIN/g.sh');
    const verify = createVerifier(hook, await fingerprint(hook), trust.store);
    expect([await verify(), verify()]).toEqual([true, true]);
    vi.stubEnv('TRUST_PLAIN', 'two');
    expect(await verify()).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
