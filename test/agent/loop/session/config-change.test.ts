/** Settings that change during a session: ConfigChange, what a refusal keeps, and what a reload cannot remove. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { attachConfig, type HookConfig, loadClaudeSettings } from '../../../../src/index.js';
import { watchProcess } from '../../../support/runner.js';
import { type LoopSetup, makeLoop } from '../support/run-loop.js';

watchProcess();

const settings = (...lines: readonly string[]) =>
  JSON.stringify({
    hooks: { PreToolUse: [{ hooks: lines.map((command) => ({ type: 'command', command })) }] },
  });

/** A loop whose user settings are followed. */
async function following(hooks: HookConfig, options: LoopSetup['options'] = {}) {
  const made = await makeLoop({ hooks, options });
  const { loop, runner, cwd } = made;
  const configDir = join(cwd, '..', 'home');
  mkdirSync(configDir);
  const file = join(configDir, 'settings.json');
  writeFileSync(file, settings('echo one >&2; exit 2'));
  const places = { cwd, configDir, managedFile: null } as const;
  const asked: unknown[] = [];
  let isAnswered = (_allowed: boolean): void => {};
  const nextAnswer = () =>
    new Promise<boolean>((resolve) => {
      isAnswered = resolve;
    });
  let isReloaded = (): void => {};
  const nextReload = () =>
    new Promise<void>((resolve) => {
      isReloaded = resolve;
    });
  const follow = async (more: { keepGuards?: boolean } = {}) => {
    const live = await attachConfig(runner, () => loadClaudeSettings(places), {
      watch: true,
      ...more,
      mayReload: async (changes) => {
        asked.push(changes);
        const allowed = await loop.settingsChanged(changes);
        isAnswered(allowed);
        return allowed;
      },
      onReload: () => isReloaded(),
    });
    onTestFinished(() => live.close());
  };
  const reasons = async () => {
    const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'u' };
    return (await runner.fire('PreToolUse', call)).results.map(({ reason }) => reason);
  };
  return { ...made, file, asked, follow, nextAnswer, nextReload, reasons };
}

describe('ConfigChange', () => {
  it('LO-71 CF-33: fires with the source and the file, and the new settings take effect', async () => {
    const seen: object[] = [];
    const hooks: HookConfig = { ConfigChange: [{ hooks: [(input) => void seen.push(input)] }] };
    const { file, follow, nextReload, reasons, asked, loop, cwd } = await following(hooks);
    await follow();
    expect(await reasons()).toEqual(['one']);
    const reloaded = nextReload();
    writeFileSync(file, settings('echo two >&2; exit 2'));
    await reloaded;
    expect(await reasons()).toEqual(['two']);
    expect(asked).toEqual([[{ file, layer: 'user' }]]);
    const { id, transcriptPath } = await loop.session();
    expect(seen).toEqual([
      {
        hook_event_name: 'ConfigChange',
        session_id: id,
        transcript_path: transcriptPath,
        cwd,
        permission_mode: 'default',
        source: 'user_settings',
        file_path: file,
      },
    ]);
  });

  it('LO-71 CF-33: a block keeps the old settings, and is asked again after the next change', async () => {
    let isBlocked = true;
    const hooks: HookConfig = {
      ConfigChange: [
        {
          matcher: 'user_settings',
          hooks: [() => (isBlocked ? { decision: 'block', reason: 'not now' } : {})],
        },
      ],
    };
    const { file, follow, nextAnswer, nextReload, reasons } = await following(hooks);
    await follow();
    const answered = nextAnswer();
    writeFileSync(file, settings('echo two >&2; exit 2'));
    expect(await answered).toBe(false);
    expect(await reasons()).toEqual(['one']);
    isBlocked = false;
    const reloaded = nextReload();
    writeFileSync(file, settings('echo three >&2; exit 2'));
    await reloaded;
    expect(await reasons()).toEqual(['three']);
  });

  it('LO-71: what the administrator changes cannot be blocked, and other files ask nobody', async () => {
    const sources: unknown[] = [];
    const hooks: HookConfig = {
      ConfigChange: [
        {
          hooks: [
            ({ source }) => {
              sources.push(source);
              return { decision: 'block' as const };
            },
          ],
        },
      ],
    };
    const { loop } = await makeLoop({ hooks });
    expect(await loop.settingsChanged([{ file: '/etc/managed.json', layer: 'managed' }])).toBe(true);
    expect(await loop.settingsChanged([{ file: '/x/agent.md' }])).toBe(true);
    expect(await loop.settingsChanged([{ file: '/x/settings.local.json', layer: 'local' }])).toBe(false);
    expect(sources).toEqual(['policy_settings', 'local_settings']);
  });

  it('CF-22: with keepGuards a hook that can refuse stays in force when its file loses it', async () => {
    const { file, follow, nextReload, reasons } = await following({});
    await follow({ keepGuards: true });
    const reloaded = nextReload();
    writeFileSync(file, settings('echo two >&2; exit 2'));
    await reloaded;
    expect(await reasons()).toEqual(['one', 'two']);
  });

  it('CF-22: with keepGuards no key of a hook, a group or the settings weakens a guard', async () => {
    const { file, follow, nextReload, reasons, runner } = await following({});
    const guard = { type: 'command', command: 'echo "off: $OFF" >&2; [ -z "$OFF" ] && exit 2; exit 0' };
    const broken = { type: 'command', command: 'exit 1', onFailure: 'block' };
    const redactor = { type: 'command', command: 'echo hidden >&2; exit 2' };
    const write = (env: object, last: object, PostToolUse: readonly object[]) =>
      writeFileSync(
        file,
        JSON.stringify({ env, hooks: { PreToolUse: [{ hooks: [guard, last] }], PostToolUse } }),
      );
    write({}, broken, [{ matcher: 'Bash', hooks: [redactor] }]);
    await follow({ keepGuards: true });
    const refusals = [expect.stringContaining('off:'), expect.stringContaining('code 1')];
    expect(await reasons()).toEqual(refusals);
    const reloaded = nextReload();
    write({ OFF: 'yes' }, { ...broken, onFailure: 'continue', timeout: 0.01 }, []);
    await reloaded;
    expect(await reasons()).toEqual(expect.arrayContaining(refusals));
    const call = { tool_name: 'Bash', tool_input: {}, tool_use_id: 'u', tool_response: 'x' };
    expect((await runner.fire('PostToolUse', call)).reason).toBe('hidden');
  });

  it('LO-71: skills and files of plugins are asked about too', async () => {
    const seen: unknown[] = [];
    const hooks: HookConfig = { ConfigChange: [{ hooks: [({ source }) => void seen.push(source)] }] };
    const { file, follow, nextReload } = await following(hooks);
    const skill = join(file, '..', 'skills', 'notes', 'SKILL.md');
    mkdirSync(dirname(skill), { recursive: true });
    const hook = (command: string) => `---
hooks:
  Stop:
    - hooks:
        - type: command
          command: ${command}
---
`;
    writeFileSync(skill, hook('exit 0'));
    await follow();
    const reloaded = nextReload();
    writeFileSync(skill, hook('exit 1 # changed'));
    await reloaded;
    expect(seen).toEqual(['skills']);
  });
});
