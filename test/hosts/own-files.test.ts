/** Hosts whose entries have files of their own: the plugin of opencode, and a program for each event of Cline. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { loadHostConfig } from '../../src/dialects/host/load.js';
import { plugin } from '../../src/dialects/opencode/plugin.js';
import { bridge, callOf, type Folder, host, makeFolder, readBy, run } from './support.js';

const folders: Folder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

function made(files: Readonly<Record<string, string>> = {}): Folder {
  const folder = makeFolder(files);
  folders.push(folder);
  return folder;
}

const PLACES = {
  opencode: ['.opencode/plugins/hookline.js', '.config/opencode/plugins/hookline.js'],
  cline: ['.clinerules/hooks/PreToolUse', 'Documents/Cline/Hooks/PreToolUse'],
} as const;

const statusOf = async (folder: Folder, name: string) =>
  JSON.parse((await folder.call(['status', '--host', name, '--json'])).stdout).hosts[0].scopes as {
    scope: string;
    state: string;
    missing: string[];
  }[];

describe.each(Object.entries(PLACES))('an installation for %s', (name, [ofProject, ofUser]) => {
  const install = (folder: Folder, ...more: string[]) =>
    folder.hookline(['install', '--host', name, '--yes', ...more]);

  it('HS-40 is proved, intact, the same the second time, and gone with its folders', async () => {
    const folder = made();
    const kept = folder.write(`${dirname(dirname(ofProject))}/other.md`, 'mine');
    for (const [scope, file] of [
      ['--project', join(folder.project, ofProject)],
      ['--user', join(folder.home, ofUser)],
    ] as const) {
      const installed = await install(folder, scope);
      expect(installed.exit, installed.stderr).toBe(0);
      expect(installed.stdout).toContain('a call that must be refused was refused');
      const text = readFileSync(file, 'utf8');
      expect((await install(folder, scope)).stdout).toContain('has the entries already');
      expect(readFileSync(file, 'utf8')).toBe(text);
      expect(await statusOf(folder, name)).toContainEqual(
        expect.objectContaining({ scope: scope.slice(2), state: 'intact' }),
      );
      const removed = await folder.call(['uninstall', '--host', name, scope, '--yes']);
      expect(removed.exit, removed.stderr).toBe(0);
    }
    expect(readdirSync(folder.home).filter((each) => each !== '.local' && each !== '.cache')).toEqual([]);
    expect(existsSync(join(folder.project, dirname(ofProject)))).toBe(false);
    expect(readFileSync(kept, 'utf8')).toBe('mine');
  });

  it('HS-40 what was changed around the line is not intact, and goes nevertheless', async () => {
    const folder = made();
    await install(folder);
    const file = join(folder.project, ofProject);
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n// changed\n`);
    const [, ours] = await statusOf(folder, name);
    expect(ours?.state).toBe('changed');
    await folder.call(['uninstall', '--host', name, '--yes']);
    expect(existsSync(file)).toBe(false);
  });

  it('HS-40 a file of somebody else is not touched, and the line to call is shown', async () => {
    const folder = made({ [ofProject]: '#!/bin/sh\necho mine\n' });
    const done = await install(folder);
    expect(done.exit).toBe(78);
    expect(done.stderr).toContain('is not ours');
    expect(done.stderr).toContain(`hook --host ${name} --event`);
    await folder.call(['uninstall', '--host', name, '--yes']);
    expect(readFileSync(join(folder.project, ofProject), 'utf8')).toBe('#!/bin/sh\necho mine\n');
  });

  it('HS-18 an entry that cannot start fails the installation', async () => {
    const done = await install(made(), '--command', './no-such-hookline');
    expect(done.exit).toBe(1);
    expect(done.stderr).toContain('the installed entry does not work');
  });

  it('HS-23 export has nothing to print, and says so', async () => {
    const folder = made();
    await folder.call(['init']);
    expect((await folder.call(['export', '--host', name])).stderr).toContain('Use hookline install');
  });
});

describe('the programs of Cline', () => {
  const cline = host('cline');

  it('HS-40 are programs, also where they have lost their mode and are installed again', async () => {
    const folder = made();
    await folder.hookline(['install', '--host', 'cline', '--yes']);
    const all = readdirSync(join(folder.project, '.clinerules/hooks')).sort();
    expect(all).toEqual(
      ['PostToolUse', 'PreToolUse', 'TaskCancel', 'TaskComplete', 'TaskStart', 'UserPromptSubmit'].sort(),
    );
    for (const each of all)
      expect(statSync(join(folder.project, '.clinerules/hooks', each)).mode & 0o777, each).toBe(0o755);
    const file = join(folder.project, PLACES.cline[0]);
    chmodSync(file, 0o644);
    expect((await folder.hookline(['install', '--host', 'cline', '--yes'])).exit).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o755);
  });

  it('HS-15 uninstall restores the mode of an empty file too, also after a second install', async () => {
    const folder = made();
    const file = folder.write(PLACES.cline[0], '');
    chmodSync(file, 0o640);
    await folder.hookline(['install', '--host', 'cline', '--yes']);
    expect(statSync(file).mode & 0o777).toBe(0o755);
    await folder.hookline(['install', '--host', 'cline', '--yes', '--command', 'hookline2']);
    await folder.hookline(['uninstall', '--host', 'cline', '--yes']);
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it('HS-40 an entry that is no program does not work, and status --canary says so', async () => {
    const folder = made();
    await folder.hookline(['install', '--host', 'cline', '--yes']);
    chmodSync(join(folder.project, PLACES.cline[0]), 0o644);
    const { stdout, exit } = await folder.hookline(['status', '--host', 'cline', '--canary']);
    expect(exit).toBe(1);
    expect(stdout).toContain('does not work');
  });

  it('HS-1 those that a person wrote run as hooks of their event', async () => {
    const folder = made();
    const file = folder.write(
      '.clinerules/hooks/PreToolUse.sh',
      '#!/bin/sh\necho \'{"cancel":true,"errorMessage":"R"}\'\n',
    );
    folder.write('.clinerules/hooks/README.md', 'x');
    chmodSync(file, 0o755);
    const { groups } = await loadHostConfig(cline, { cwd: folder.project, home: folder.home });
    expect(groups.map(({ event, hooks }) => [event, hooks[0]?.description])).toEqual([['PreToolUse', file]]);
    const fired = await folder.call([
      'fire',
      'PreToolUse',
      '--hooks-of',
      'cline',
      '--trust-workspace',
      '--set',
      'tool_name=Bash',
      '--json',
    ]);
    expect(fired.stdout + fired.stderr).toContain('"deny"');
  });

  /** As the CLI and the extension send it. */
  const call = (name: string, input: unknown) =>
    JSON.stringify({ hookName: 'tool_call', taskId: 't', tool_call: { id: 'c', name, input } });
  const fromExtension = (toolName: string, parameters: Readonly<Record<string, string>>) =>
    JSON.stringify({
      hookName: 'PreToolUse',
      taskId: 't',
      workspaceRoots: [],
      preToolUse: { toolName, parameters },
    });

  /** Looks where guards look, not at the whole input. */
  const GUARD = `case $(cat) in *'"file_path":"'*HOSTILE*|*'"command":"'*HOSTILE*|*'"branch":"HOSTILE'*) echo R-hostile >&2; exit 2;; esac`;
  const CONFIG = (matcher: string) =>
    `hooks: { PreToolUse: [{ matcher: ${matcher}, hooks: [{ type: command, command: sh guard.sh }] }] }`;

  it.each([
    ['a list', 'Bash', call('run_commands', { commands: ['ls', 'HOSTILE'] })],
    ['a bare list', 'Bash', call('run_commands', ['ls', 'HOSTILE'])],
    ['a text', 'Bash', call('run_commands', 'HOSTILE')],
    [
      'a program with arguments',
      'Bash',
      call('run_commands', { commands: [{ command: 'ls', args: ['HOSTILE'] }] }),
    ],
    ['the second file', 'Read', call('read_files', { files: [{ path: 'a' }, { path: 'HOSTILE' }] })],
    ['files under another name', 'Read', call('read_files', { file_paths: ['a', 'HOSTILE'] })],
    ['an edit', 'Edit', call('editor', { path: 'HOSTILE', old_text: 'a', new_text: 'b' })],
    ['a new file, for a hook of Write', 'Write', call('editor', { path: 'HOSTILE', new_text: 'b' })],
    [
      'a patch',
      'Write',
      call('apply_patch', { input: '*** Begin Patch\n*** Add File: HOSTILE\n+x\n*** End Patch' }),
    ],
    [
      'a patch that is a text',
      'Write',
      call('apply_patch', '*** Begin Patch\n*** Add File: HOSTILE\n+x\n*** End Patch'),
    ],
    ['a tool of a server', 'mcp__github__push', call('github__push', { branch: 'HOSTILE' })],
    [
      'a list in a text, from the extension',
      'Bash',
      fromExtension('run_commands', { commands: '["ls","HOSTILE"]' }),
    ],
    [
      'files in a text, from the extension',
      'Read',
      fromExtension('read_files', { files: '[{"path":"a"},{"path":"HOSTILE"}]' }),
    ],
    ['a tool of older versions', 'Bash', fromExtension('execute_command', { command: 'HOSTILE' })],
  ])('HS-5 judges %s', async (_what, matcher, input) => {
    const folder = made({ 'guard.sh': GUARD, 'hookline.yaml': CONFIG(matcher) });
    await folder.call(['trust', 'approve', '--yes']);
    const answer = (text: string) => folder.call(bridge(cline), text);
    expect(readBy(cline, await answer(input)).refuse).toContain('R-hostile');
    expect(await answer(input.replace('HOSTILE', 'fine'))).toEqual({ stdout: '', stderr: '', exit: 0 });
  });
});

describe('the plugin of opencode', () => {
  /** As opencode loads it: what it exports is called, and gives hooks. */
  async function pluginWith(folder: Folder, line: string) {
    const names = ['tool.execute.before', 'tool.execute.after', 'chat.message', 'session.idle'];
    const file = folder.write('plugin.mjs', plugin.write(names.map((name) => ({ name, line }))));
    const module = (await import(pathToFileURL(file).href)) as Record<
      string,
      (input: unknown) => Promise<unknown>
    >;
    expect(Object.keys(module)).toEqual(['Hookline']);
    type Hook = (input: unknown, output?: unknown) => Promise<void>;
    return (await module['Hookline']?.({ directory: folder.project })) as Readonly<Record<string, Hook>>;
  }
  const id = { tool: 'bash', sessionID: 's', callID: 'c' };

  it('HS-40 hands on the call, and refuses by an error with the reason', async () => {
    const folder = made();
    const hooks = await pluginWith(folder, `cat > seen.json; echo '{"refuse":"R-no"}'`);
    await expect(hooks['tool.execute.before']?.(id, { args: { command: 'ls' } })).rejects.toThrow('R-no');
    expect(JSON.parse(readFileSync(join(folder.project, 'seen.json'), 'utf8'))).toEqual({
      hook_event_name: 'tool.execute.before',
      cwd: folder.project,
      session_id: 's',
      tool_name: 'bash',
      tool_use_id: 'c',
      tool_input: { command: 'ls' },
    });
    const message = { message: { id: 'm' }, parts: [{ type: 'text', text: 'hello' }] };
    await expect(hooks['chat.message']?.({ sessionID: 's' }, message)).rejects.toThrow('R-no');
  });

  it.each([
    ['exit code 2', 'echo R-two >&2; exit 2', 'R-two'],
    ['another exit code', 'exit 7', 'exit code 7'],
    ['a signal', 'kill -9 $$', 'could not answer'],
    ['no JSON', 'echo no', 'cannot be read'],
  ])('HS-40 refuses after %s', async (_what, line, reason) => {
    const hooks = await pluginWith(made(), line);
    await expect(hooks['tool.execute.before']?.(id, { args: {} })).rejects.toThrow(reason);
  });

  it('HS-40 changes the object that opencode goes on with', async () => {
    const hooks = await pluginWith(made(), `echo '{"rewrite":{"command":"echo other"}}'`);
    const args = { command: 'ls', timeout: 5 };
    await hooks['tool.execute.before']?.(id, { args });
    expect(args).toEqual({ command: 'echo other' });
  });

  it('HS-40 replaces what a tool gave, also that of a server, and adds to it', async () => {
    const replacing = await pluginWith(made(), `echo '{"replace":"O","context":"C"}'`);
    const own = { output: 'secret' };
    await replacing['tool.execute.after']?.({ ...id, args: {} }, own);
    expect(own).toEqual({ output: 'O\n\nC' });
    const server = { content: [{ type: 'text', text: 'secret' }] };
    await replacing['tool.execute.after']?.({ ...id, args: {} }, server);
    expect(server).toEqual({ content: [{ type: 'text', text: 'O\n\nC' }] });
    const quiet = await pluginWith(made(), 'true');
    const kept = { output: 'fine' };
    await quiet['tool.execute.after']?.({ ...id, args: {} }, kept);
    expect(kept).toEqual({ output: 'fine' });
  });

  it('HS-40 adds context to a prompt as a part of its own, and leaves parts that nobody wrote out of it', async () => {
    const folder = made();
    const hooks = await pluginWith(folder, `cat > seen.json; echo '{"context":"C-new"}'`);
    const parts: unknown[] = [
      { type: 'text', text: 'hello' },
      { type: 'text', text: 'hidden', synthetic: true },
    ];
    await hooks['chat.message']?.({ sessionID: 's' }, { message: { id: 'm' }, parts });
    expect(JSON.parse(readFileSync(join(folder.project, 'seen.json'), 'utf8')).prompt).toBe('hello');
    expect(parts[2]).toMatchObject({
      type: 'text',
      text: 'C-new',
      synthetic: true,
      messageID: 'm',
      sessionID: 's',
    });
  });

  it('HS-40 the installed one refuses a hostile call of each tool in the words of opencode', async () => {
    const folder = made({
      'hookline.yaml':
        'hooks: { PreToolUse: [{ hooks: [{ type: command, command: "case $(cat) in *HOSTILE*) echo R-hostile >&2; exit 2;; esac" }] }] }',
    });
    await folder.hookline(['trust', 'approve', '--yes']);
    await folder.hookline(['install', '--host', 'opencode', '--yes']);
    const file = join(folder.project, PLACES.opencode[0]);
    const [program, ...args] = plugin.start(file, 'tool.execute.before');
    const env = {
      ...process.env,
      HOME: folder.home,
      XDG_STATE_HOME: '',
      XDG_CONFIG_HOME: '',
      XDG_DATA_HOME: '',
    };
    for (const [tool, hostile] of [
      ['bash', { command: 'HOSTILE' }],
      ['read', { filePath: 'HOSTILE' }],
      ['edit', { filePath: 'HOSTILE', oldString: 'a', newString: 'b' }],
    ] as const) {
      const sent = (tool_input: unknown) =>
        JSON.stringify({
          session_id: 's',
          tool_name: tool,
          tool_use_id: 'c',
          tool_input,
          cwd: folder.project,
        });
      const refused = await run(program, args, folder.project, sent(hostile), env);
      expect(refused.stdout, refused.stderr).toContain('R-hostile');
      const harmless = JSON.parse(JSON.stringify(hostile).replace('HOSTILE', 'fine'));
      expect((await run(program, args, folder.project, sent(harmless), env)).stdout).toBe('');
    }
    expect(callOf(host('opencode'), 'Read', { file_path: 'a' })).toContain('"filePath":"a"');
  });

  it('HS-18 is proved also where Node would take it for something else than a module', async () => {
    const folder = made({ 'package.json': '{ "type": "commonjs" }' });
    const { exit, stderr } = await folder.hookline(['install', '--host', 'opencode', '--yes']);
    expect(exit, stderr).toBe(0);
  });
});
