/** A guard that was in force when the session began is not lost in the middle of it. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  attachConfig,
  command,
  createTrustStore,
  type HookEvent,
  type LiveConfigOptions,
  type LoadedConfig,
  loadClaudeSettings,
  loadHooklineConfig,
  Runner,
  type Trust,
  trustSubjects,
} from '../../../src/index.js';
import { until } from '../../support/process-harness.js';
import { bash, SAMPLES } from '../../support/runner.js';
import { place, settings } from './support.js';

const PROJECT = 'workspace/.claude/settings.json';
const REFUSING = '#!/bin/sh\necho agreed >&2\nexit 2\n';
const PASSING = '#!/bin/sh\ntouch canary\nexit 0\n';

function session() {
  const where = place();
  const trust = createTrustStore({ file: join(where.dir, 'trust', 'trust.json') });
  const load = (): Promise<LoadedConfig> => where.load({ trust });
  const approve = async (): Promise<void> => {
    const config = await load();
    await trust.approve(where.workspace, trustSubjects(config));
    const gone = config.missing?.map(({ fingerprint }) => fingerprint) ?? [];
    await trust.withdraw(where.workspace, gone);
  };
  where.write('workspace/guard.sh', REFUSING);
  const attach = async (options: LiveConfigOptions = {}, loading = load) => {
    const runner = new Runner({ cwd: where.workspace });
    const live = await attachConfig(runner, loading, options);
    onTestFinished(async () => {
      live.close();
      await runner.dispose();
    });
    return { runner, live, refused: async () => (await runner.fire('PreToolUse', bash())).reason };
  };
  return { ...where, trust, loadUnder: load, approve, attach };
}

describe('a script that changes in the middle of a session', () => {
  it('CF-21 refuses from then on, whatever its policy, and says what to do', async () => {
    const { write, approve, loadUnder, runner, workspace } = session();
    write(PROJECT, settings('PreToolUse', './guard.sh'));
    await approve();
    const used = runner(await loadUnder());
    expect((await used.fire('PreToolUse', bash())).reason).toBe('agreed');
    write('workspace/guard.sh', PASSING);
    const outcome = await used.fire('PreToolUse', bash());
    expect(outcome).toMatchObject({
      decision: 'deny',
      failures: [{ kind: 'failed-to-start', blocked: true }],
    });
    expect(outcome.reason).toMatch(
      /\.\/guard\.sh .*settings\.json:1.* changed since it was approved.*hookline trust approve/,
    );
    expect(existsSync(join(workspace, 'canary'))).toBe(false);
  });

  it.each(['gone', 'a folder', 'of one more byte'])('CF-21 so does one that is %s', async (how) => {
    const { write, approve, loadUnder, runner, workspace } = session();
    write('workspace/guard.sh', '#!/bin/sh\nexit 0\n');
    write(PROJECT, settings('PreToolUse', './guard.sh'));
    await approve();
    const used = runner(await loadUnder());
    expect((await used.fire('PreToolUse', bash())).decision).toBeUndefined();
    if (how === 'of one more byte') write('workspace/guard.sh', '#!/bin/sh\nexit 0\n\n');
    else rmSync(join(workspace, 'guard.sh'));
    if (how === 'a folder') write('workspace/guard.sh/inside', '');
    expect((await used.fire('PreToolUse', bash())).decision).toBe('deny');
  });

  it('CF-21 refuses also when it is changed while it waits for its process slot', async () => {
    const { write, approve, loadUnder, runner, workspace } = session();
    write(PROJECT, settings('PreToolUse', './guard.sh'));
    await approve();
    const config = await loadUnder();
    const used = runner(config, { maxProcesses: 1 });
    used.on('Notification', command('touch held; until [ -e go ]; do sleep 0.02; done'));
    const holding = used.fire('Notification', SAMPLES.Notification);
    await until(() => existsSync(join(workspace, 'held')), 'a held slot');
    const guarded = used.fire('PreToolUse', bash());
    // Whatever looked at the script when the guard was fired has looked by now.
    for (let i = 0; i < 3; i++) expect(await config.groups[0]?.hooks[0]?.verify?.()).toBe(true);
    write('workspace/guard.sh', PASSING);
    write('workspace/go', '');
    expect(await guarded).toMatchObject({ decision: 'deny', failures: [{ kind: 'failed-to-start' }] });
    await holding;
    expect(existsSync(join(workspace, 'canary'))).toBe(false);
  });

  it('CF-21 refuses also when it would have gone to the background', async () => {
    const { write, approve, loadUnder, runner, workspace } = session();
    write(PROJECT, settings('PreToolUse', { type: 'command', command: './guard.sh', async: true }));
    await approve();
    const used = runner(await loadUnder());
    expect((await used.fire('PreToolUse', bash())).pending).toHaveLength(1);
    await used.drain();
    write('workspace/guard.sh', PASSING);
    expect(await used.fire('PreToolUse', bash())).toMatchObject({ decision: 'deny', pending: [] });
    expect(existsSync(join(workspace, 'canary'))).toBe(false);
  });

  it('CF-21 a hook in the background that is changed while it waits is not run', async () => {
    const { write, approve, loadUnder, runner, workspace } = session();
    write(PROJECT, settings('Stop', { type: 'command', command: './guard.sh', async: true }));
    await approve();
    const used = runner(await loadUnder(), { maxProcesses: 1 });
    used.on('Notification', command('touch held; until [ -e go ]; do sleep 0.02; done'));
    const holding = used.fire('Notification', SAMPLES.Notification);
    await until(() => existsSync(join(workspace, 'held')), 'a held slot');
    const { pending } = await used.fire('Stop', SAMPLES.Stop);
    write('workspace/guard.sh', PASSING);
    write('workspace/go', '');
    expect(await pending[0]?.completion).toMatchObject({ failure: { kind: 'failed-to-start' } });
    await holding;
    expect(existsSync(join(workspace, 'canary'))).toBe(false);
  });

  it.each(['command', 'callback'])('TR-20 a %s whose check does not end in time refuses', async (kind) => {
    const { runner, load, write, workspace } = session();
    write(PROJECT, settings('PreToolUse', './guard.sh'));
    const config = await load();
    const ran: string[] = [];
    const hook = kind === 'command' ? command('touch canary') : () => void ran.push('callback');
    const groups = config.groups.map((group) => ({
      ...group,
      options: { ...group.options, timeout: 0.1 },
      hooks: group.hooks.map((each) => ({ ...each, hook, verify: () => new Promise<boolean>(() => {}) })),
    }));
    const outcome = await runner({ ...config, groups }).fire('PreToolUse', bash());
    expect(outcome).toMatchObject({ decision: 'deny', failures: [{ kind: 'failed-to-start' }] });
    expect([existsSync(join(workspace, 'canary')), ran]).toEqual([false, []]);
  });

  it('CF-12 it refuses in later sessions too, also when its entry was edited, until it is approved again', async () => {
    const { write, approve, loadUnder, runner, workspace } = session();
    write(PROJECT, settings('PreToolUse', './guard.sh'));
    await approve();
    write('workspace/guard.sh', PASSING);
    const later = runner(await loadUnder());
    const outcome = await later.fire('PreToolUse', bash());
    expect(outcome.reason).toMatch(/\.\/guard\.sh .* changed since it was approved.*hookline trust approve/);
    expect(later.explain('PreToolUse', bash()).hooks).toMatchObject([{ runs: true, why: 'modified' }]);
    write('workspace/guard.sh', REFUSING);
    write(PROJECT, settings('PreToolUse', './guard.sh || true'));
    expect((await runner(await loadUnder()).fire('PreToolUse', bash())).decision).toBe('deny');
    expect(existsSync(join(workspace, 'canary'))).toBe(false);
    await approve();
    expect((await runner(await loadUnder()).fire('PreToolUse', bash())).decision).toBeUndefined();
  });

  it('CF-12 CF-22 not in place of the version that is still in force', async () => {
    const { write, approve, attach } = session();
    write('workspace/guard.sh', '#!/bin/sh\nexit 0\n');
    write(PROJECT, settings('PreToolUse', './guard.sh'));
    await approve();
    const { live, refused } = await attach();
    write(PROJECT, settings('PreToolUse', './guard.sh again'));
    await live.reload();
    expect(await refused()).toBeUndefined();
  });

  it('CF-21 runs again as soon as its current version is approved, or it is what it was', async () => {
    const { write, approve, loadUnder, runner } = session();
    write(PROJECT, settings('PreToolUse', './guard.sh'));
    await approve();
    const used = runner(await loadUnder());
    const reason = async () => (await used.fire('PreToolUse', bash())).reason;
    write('workspace/guard.sh', REFUSING.replace('agreed', 'agreed again'));
    expect(await reason()).toContain('has changed');
    write('workspace/guard.sh', REFUSING);
    expect(await reason()).toBe('agreed');
    write('workspace/guard.sh', REFUSING.replace('agreed', 'agreed again'));
    await approve();
    expect(await reason()).toBe('agreed again');
  });

  it.each([
    ['UserPromptSubmit', true],
    ['Stop', true],
    ['PostToolUse', false],
    ['SessionStart', false],
  ] as const)(
    'CF-21 FA-5 on %s a refusal is %j; elsewhere it is reported and not run',
    async (event, refuses) => {
      const { write, approve, loadUnder, runner, workspace } = session();
      write('workspace/guard.sh', '#!/bin/sh\nexit 0\n');
      write(PROJECT, settings(event, './guard.sh'));
      await approve();
      const used = runner(await loadUnder());
      write('workspace/guard.sh', PASSING);
      const fire = used.fire as (name: HookEvent, input: object) => ReturnType<typeof used.fire>;
      const { decision, failures } = await fire.call(used, event, SAMPLES[event]);
      expect(decision).toBe(refuses ? 'deny' : undefined);
      expect(failures).toMatchObject([{ kind: 'failed-to-start', blocked: refuses }]);
      expect(existsSync(join(workspace, 'canary'))).toBe(false);
    },
  );

  it('CF-21 who approves a whole workspace approves it as it is, not what becomes of it', async () => {
    const { write, load, runner, workspace, home } = session();
    write(PROJECT, settings('PreToolUse', './guard.sh'));
    write(
      'workspace/hookline.yaml',
      'hooks: { Stop: [{ hooks: [{ type: command, command: ./guard.sh }] }] }',
    );
    const used = runner(await load({ trust: 'workspace' }));
    used.use(await loadHooklineConfig({ cwd: workspace, configDir: home, trust: 'workspace' }));
    write('workspace/guard.sh', PASSING);
    expect((await used.fire('PreToolUse', bash())).reason).toContain('has changed');
    expect((await used.fire('Stop', { stop_hook_active: false })).reason).toContain('has changed');
  });

  it('CF-21 CF-12 one that was never approved has no effect, also after it changed', async () => {
    const { write, loadUnder, runner } = session();
    write(PROJECT, settings('PreToolUse', './guard.sh'));
    const used = runner(await loadUnder());
    write('workspace/guard.sh', PASSING);
    expect(await used.fire('PreToolUse', bash())).toMatchObject({ results: [] });
  });
});

describe('a file that changes in the middle of a session', () => {
  const GUARD = settings('PreToolUse', './guard.sh');
  const changes: Readonly<Record<string, unknown>> = {
    'without the guard': {},
    'with another command': settings('PreToolUse', 'true'),
    'with another matcher': {
      hooks: { PreToolUse: [{ matcher: 'Read', hooks: [{ type: 'command', command: './guard.sh' }] }] },
    },
    'with no time to answer': settings('PreToolUse', {
      type: 'command',
      command: './guard.sh',
      timeout: 0.001,
    }),
    'that does not wait for it': settings('PreToolUse', {
      type: 'command',
      command: './guard.sh',
      async: true,
    }),
    'with all hooks switched off': { ...GUARD, disableAllHooks: true },
    'that is broken': '{ "hooks": ',
  };

  it.each(Object.entries(changes))('CF-22 a file %s takes no guard away', async (_, content) => {
    const { write, approve, attach } = session();
    write(PROJECT, GUARD);
    await approve();
    const { live, refused } = await attach();
    write(PROJECT, content);
    const { diagnostics } = await live.reload();
    // A switch has no effect on it in the first place.
    const code = expect.stringMatching(/^(?:kept|stays_on)$/);
    expect(diagnostics).toContainEqual(expect.objectContaining({ code, severity: 'warning' }));
    expect(await refused()).toBe('agreed');
    write(PROJECT, GUARD);
    expect((await live.reload()).diagnostics).toEqual([]);
    expect(await refused()).toBe('agreed');
  });

  it.each(Object.entries(changes))(
    'CF-22 nor does a file %s with a whole workspace approved',
    async (_, content) => {
      const { write, attach, load } = session();
      write(PROJECT, GUARD);
      const { live, refused } = await attach({}, () => load({ trust: 'workspace' }));
      write(PROJECT, content);
      await live.reload();
      expect(await refused()).toBe('agreed');
    },
  );

  it('CF-22 a file that is gone takes none away either, when it is watched', async () => {
    const { approve, attach, write, dir } = session();
    write(PROJECT, GUARD);
    await approve();
    const reloaded: LoadedConfig[] = [];
    const { refused } = await attach({ watch: true, onReload: (config) => reloaded.push(config) });
    rmSync(join(dir, PROJECT));
    await until(() => reloaded.length > 0, 'the reload');
    expect(reloaded[0]?.diagnostics).toMatchObject([{ code: 'kept' }]);
    expect(await refused()).toBe('agreed');
  });

  it('CF-22 CF-21 a guard whose script and file are both changed refuses', async () => {
    const { approve, attach, write } = session();
    write(PROJECT, GUARD);
    await approve();
    const { live, refused } = await attach();
    write(PROJECT, {});
    write('workspace/guard.sh', PASSING);
    await live.reload();
    expect(await refused()).toContain('has changed since it was approved');
  });

  it('CF-22 another version takes its place when it is approved', async () => {
    const { approve, attach, write } = session();
    write(PROJECT, GUARD);
    await approve();
    const { live, runner } = await attach();
    write(PROJECT, settings('PreToolUse', { type: 'command', command: './guard.sh', timeout: 9 }));
    await approve();
    expect((await live.reload()).diagnostics).toEqual([]);
    expect((await runner.fire('PreToolUse', bash())).results).toHaveLength(1);
  });

  it('CF-22 a hook that looks like another one does not stand in for it', async () => {
    const { approve, attach, write } = session();
    const lines = ['ls', 'make all'];
    const guards = lines.map((line) => ({ type: 'command', command: './guard.sh', if: `Bash(${line})` }));
    write(PROJECT, settings('PreToolUse', ...guards));
    await approve();
    const { live, runner } = await attach();
    for (const left of guards) {
      write(PROJECT, settings('PreToolUse', left));
      await live.reload();
      for (const line of lines)
        expect(await runner.fire('PreToolUse', bash(line))).toMatchObject({
          reason: 'agreed',
          results: [{}],
        });
    }
  });

  it('CF-22 CF-15 hooks that need no approval go with their file; new ones of the workspace wait', async () => {
    const { write, attach, loadUnder } = session();
    write('home/settings.json', settings('PreToolUse', 'echo mine >&2; exit 2'));
    const { live, refused } = await attach({}, loadUnder);
    expect(await refused()).toBe('mine');
    write('home/settings.json', {});
    write(PROJECT, GUARD);
    expect((await live.reload()).diagnostics).toMatchObject([{ code: 'untrusted' }]);
    expect(await refused()).toBeUndefined();
  });

  it('CF-22 TR-23 with keepApproved: false a hook goes with its file, and its removal is to be accepted; close takes everything out', async () => {
    const { write, approve, attach } = session();
    write(PROJECT, GUARD);
    await approve();
    const { live, refused } = await attach({ keepApproved: false });
    write(PROJECT, {});
    await live.reload();
    expect(await refused()).toContain('./guard.sh was approved for PreToolUse');
    await approve();
    expect(await refused()).toBeUndefined();
    write(PROJECT, GUARD);
    await approve();
    const kept = await attach();
    write(PROJECT, {});
    await kept.live.reload();
    expect(await kept.refused()).toBe('agreed');
    kept.live.close();
    expect(await kept.refused()).toBeUndefined();
  });

  it('CF-22 the hooks of a module stay as they were imported', async () => {
    const { write, trust, workspace, home, attach } = session();
    write(
      'workspace/hookline.mjs',
      "export default { PreToolUse: [{ hooks: [() => ({ decision: 'block', reason: 'module' })] }] };",
    );
    const load = (given: Trust) => () =>
      loadHooklineConfig({ cwd: workspace, configDir: home, trust: given });
    await trust.approve(workspace, trustSubjects(await load(trust)()));
    for (const given of [trust, 'workspace'] as const) {
      const { live, refused } = await attach({}, load(given));
      write('workspace/hookline.mjs', 'export default {};');
      const { unimported } = await live.reload();
      expect(unimported).toHaveLength(given === 'workspace' ? 0 : 1);
      expect(await refused()).toBe('module');
      rmSync(join(workspace, 'hookline.mjs'));
      await live.reload();
      expect(await refused()).toBe('module');
      live.close();
      write(
        'workspace/hookline.mjs',
        "export default { PreToolUse: [{ hooks: [() => ({ decision: 'block', reason: 'module' })] }] };",
      );
    }
  });

  it('CF-22 what it keeps running goes on being ended once', async () => {
    const { write, approve, attach, trust, workspace, home, managed } = session();
    write(PROJECT, GUARD);
    await approve();
    let disposed = 0;
    const { live, runner } = await attach({}, async () => ({
      ...(await loadClaudeSettings({ cwd: workspace, configDir: home, managedFile: managed, trust })),
      dispose: async () => {
        disposed += 1;
      },
    }));
    write(PROJECT, {});
    await live.reload();
    await until(() => disposed === 1, 'the end of the first');
    await runner.dispose();
    expect(disposed).toBe(2);
  });
});
