/** A file of a workspace cannot take back a guard that a person approved, in whatever way it goes. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadHostConfig } from '../../src/dialects/host/load.js';
import { loadClaudeSettings, loadHooklineConfig, Runner } from '../../src/index.js';
import { bridge, callOf, host, readBy } from '../hosts/support.js';
import { isTried } from '../support/matrix.js';
import { bash } from '../support/runner.js';
import { type Folder, folder } from './support.js';

const gemini = host('gemini');

interface Entry {
  readonly event?: string;
  readonly matcher?: string;
  readonly hook?: object;
  readonly group?: object;
  /** What the file has beside its hooks. */
  readonly beside?: object;
}

/** A kind of file that holds hooks, and the ways that load it. */
interface Kind {
  readonly file: string;
  /** Another file that is read after it, or that the host would read. */
  readonly second: string;
  readonly event: string;
  readonly other: string;
  readonly tool: string;
  readonly flags: readonly string[];
  /** Undefined: the bridge leaves these to their host. */
  readonly bridge?: readonly string[];
  load(cwd: string): ReturnType<typeof loadClaudeSettings>;
}

const KINDS: Readonly<Record<string, Kind>> = {
  'settings.json': {
    file: '.claude/settings.json',
    second: '.claude/settings.local.json',
    event: 'PreToolUse',
    other: 'Stop',
    tool: 'Bash',
    flags: [],
    bridge: ['--claude'],
    load: (cwd) => loadClaudeSettings({ cwd }),
  },
  'hookline.yaml': {
    file: 'hookline.yaml',
    second: 'hookline.json',
    event: 'PreToolUse',
    other: 'Stop',
    tool: 'Bash',
    flags: [],
    bridge: [],
    load: (cwd) => loadHooklineConfig({ cwd }),
  },
  "a host's settings.json": {
    file: '.gemini/settings.json',
    second: '.gemini/settings.local.json',
    event: 'BeforeTool',
    other: 'AfterAgent',
    tool: 'run_shell_command',
    flags: ['--hooks-of', 'gemini'],
    load: (cwd) => loadHostConfig(gemini, { cwd }),
  },
};

/** The guard of the table, and one that stays. */
function content({ event, tool }: Kind, entry?: Entry): Readonly<Record<string, unknown>> {
  const other = { matcher: 'Never', hooks: [{ type: 'command', command: './other.sh' }] };
  if (entry === undefined) return { hooks: { [event]: [other] } };
  const hook = { type: 'command', command: './guard.sh', ...entry.hook };
  const group = { matcher: entry.matcher ?? tool, ...entry.group, hooks: [hook] };
  const where = entry.event ?? event;
  const hooks = where === event ? { [event]: [group, other] } : { [event]: [other], [where]: [group] };
  return { hooks, ...entry.beside };
}

type Attack = (where: Folder, kind: Kind) => void;

const editing =
  (change: (kind: Kind) => Entry | undefined): Attack =>
  ({ write }, kind) =>
    void write(kind.file, content(kind, change(kind)));

const ATTACKS: Readonly<Record<string, Attack>> = {
  'its file is deleted': ({ workspace }, { file }) => rmSync(join(workspace, file)),
  'its file is emptied': ({ write }, { file }) => void write(file, ''),
  'its file is renamed': ({ workspace }, { file }) =>
    renameSync(join(workspace, file), join(workspace, `${file}.bak`)),
  'its file cannot be parsed': ({ write }, { file }) => void write(file, '{ "hooks": '),
  'its file is a folder': ({ workspace }, { file }) => {
    rmSync(join(workspace, file));
    mkdirSync(join(workspace, file));
  },
  'its file is a pipe': ({ workspace }, { file }) => {
    rmSync(join(workspace, file));
    execFileSync('mkfifo', [join(workspace, file)]);
  },
  'its file is huge': ({ workspace }, { file }) => truncateSync(join(workspace, file), 2 ** 30),
  'its file is a link to an empty one': ({ workspace, write }, { file }) => {
    rmSync(join(workspace, file));
    symlinkSync(write('empty', '{}'), join(workspace, file));
  },
  'its file is a link to nothing': ({ workspace }, { file }) => {
    rmSync(join(workspace, file));
    symlinkSync(join(workspace, 'nothing'), join(workspace, file));
  },
  'its file has other keys': ({ write }, { file }) => void write(file, { hook: {} }),
  'it is removed from the list': editing(() => undefined),
  'it is moved to another event': editing(({ other }) => ({ event: other })),
  'its matcher is changed': editing(({ tool }) => ({ matcher: `${tool}x` })),
  'its matcher cannot be used': editing(() => ({ matcher: '(' })),
  'its matcher is no text': editing(() => ({ matcher: 5 as never })),
  'its group cannot be used': editing(() => ({ group: { sequential: true, parallel: true } })),
  'it has a narrower condition': editing(() => ({ hook: { if: 'Bash(git push:*)' } })),
  'it does not block': editing(() => ({ hook: { onFailure: 'continue' } })),
  'it runs in the background': editing(() => ({ hook: { async: true } })),
  'it has no time': editing(() => ({ hook: { timeout: 0.001 } })),
  'it has other variables': editing(() => ({ hook: { env: { PATH: '/nowhere' } } })),
  'it has another type': editing(() => ({ hook: { type: 'comand' } })),
  'its file switches hooks off': editing(() => ({ beside: { disableAllHooks: true } })),
  'its file switches hooks off otherwise': editing(() => ({
    beside: { hooksConfig: { enabled: false, disabled: ['./guard.sh'] } },
  })),
  'another file switches hooks off': ({ write }, { second }) =>
    void write(second, { disableAllHooks: true, hooks: {} }),
  'another file sets variables': ({ write }, { second }) =>
    void write(second, { env: { GUARD: 'off' }, hooks: {} }),
  'another file has a weaker copy of it': ({ write }, kind) =>
    void write(kind.second, content(kind, { hook: { onFailure: 'continue', timeout: 0.001 } })),
};

const TURNS = [{ tools: [{ name: 'Bash', input: { command: 'touch ran' } }] }, { text: 'Done.' }];

async function approved(kind: Kind): Promise<Folder> {
  const where = folder();
  where.write(
    'guard.sh',
    '#!/bin/sh\ncat > /dev/null\n[ "$GUARD" = off ] && exit 0\necho guarded >&2\nexit 2\n',
  );
  where.write('other.sh', '#!/bin/sh\nexit 0\n');
  where.write(kind.file, content(kind, {}));
  where.write('turns.json', TURNS);
  expect(await where.call(['trust', 'approve', '--yes', ...kind.flags])).toMatchObject({ code: 0 });
  return where;
}

const COMMAND = 'tool_input.command=touch ran';

async function fired({ call }: Folder, kind: Kind): Promise<unknown> {
  const done = await call(['fire', 'PreToolUse', '--json', '--set', COMMAND, ...kind.flags]);
  return done.json<{ decision?: unknown }>().decision;
}

async function hasRun({ workspace, call }: Folder, kind: Kind): Promise<boolean> {
  rmSync(join(workspace, 'ran'), { force: true });
  const options = ['--script', 'turns.json', '--dangerously-skip-permissions', ...kind.flags];
  await call(['run', '-p', 'go', ...options]);
  return existsSync(join(workspace, 'ran'));
}

async function bridged({ call }: Folder, kind: Kind): Promise<string | undefined> {
  const { out, err, code } = await call([...bridge(gemini), ...(kind.bridge ?? [])], {
    stdin: callOf(gemini, 'Bash'),
  });
  return readBy(gemini, { stdout: out, stderr: err, exit: code }).refuse;
}

async function inCode({ workspace }: Folder, kind: Kind): Promise<string | undefined> {
  const runner = new Runner({ cwd: workspace, onWarning: () => {} });
  try {
    runner.use(await kind.load(workspace));
    return (await runner.fire('PreToolUse', bash('touch ran'))).decision;
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    await runner.dispose();
  }
}

const attacks = Object.entries(ATTACKS);

for (const [row, [name, kind]] of Object.entries(KINDS).entries()) {
  describe(`an approved guard of ${name}`, () => {
    it('without one the call runs', async () => {
      const where = folder();
      where.write('turns.json', TURNS);
      expect(await hasRun(where, kind)).toBe(true);
    });

    it('TR-23 judges a call as long as nothing has changed', async () => {
      const where = await approved(kind);
      expect(await fired(where, kind)).toBe('deny');
      expect(await hasRun(where, kind)).toBe(false);
      if (kind.bridge !== undefined) expect(await bridged(where, kind)).toBe('guarded');
      expect(await inCode(where, kind)).toBe('deny');
    });

    it.each(attacks)('TR-23 TR-24 is not lost when %s', async (_, attack) => {
      const where = await approved(kind);
      attack(where, kind);
      const column = attacks.findIndex(([, each]) => each === attack);
      const runs = isTried(row, Object.keys(KINDS).length, column, attacks.length);
      const seen = {
        fire: await fired(where, kind),
        run: runs && (await hasRun(where, kind)),
        bridge: kind.bridge === undefined ? 'none' : ((await bridged(where, kind)) ?? 'passed'),
        code: (await inCode(where, kind)) ?? 'passed',
      };
      expect(seen).toMatchObject({ fire: 'deny', run: false });
      expect(seen.bridge).not.toBe('passed');
      expect(['deny', 'invalid_config']).toContain(seen.code);
    });
  });
}
