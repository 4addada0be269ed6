/** Which folders' hooks judge a host's call: that of the process, that of the entry's project, and those in the input. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Called, type Folder, folder, hooklineFile } from '../cli/support.js';
import { bridge, callOf, eventOf, host, readBy } from './support.js';

const gemini = host('gemini');
const refusing = (reason: string): string => hooklineFile('PreToolUse', `echo ${reason} >&2; exit 2`);

let place: Folder;
beforeEach(() => {
  place = folder();
});

function put(path: string, content: string): string {
  const file = join(place.dir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return dirname(file);
}

const approve = (cwd: string) => place.call(['trust', 'approve', '--yes'], { cwd });

async function approved(path: string, content: string): Promise<string> {
  const dir = put(`${path}/hookline.yaml`, content);
  await approve(dir);
  return dir;
}

interface Given {
  readonly args?: readonly string[];
  readonly input?: object;
}

function call(cwd: string, { args = [], input = {} }: Given = {}): Promise<Called> {
  const stdin = JSON.stringify({ ...JSON.parse(callOf(gemini, 'Bash')), ...input });
  return place.call([...bridge(gemini), ...args], { cwd, stdin });
}

const refusal = ({ out, err, code }: Called): string | undefined =>
  readBy(gemini, { stdout: out, stderr: err, exit: code }).refuse;

describe('the folders of a call', () => {
  it('HS-29 a host that starts the hook elsewhere names the project: in cwd, or in its workspace roots', async () => {
    const elsewhere = put('plugin/readme', '');
    const project = await approved('project', refusing('R-project'));
    mkdirSync(join(project, 'src'));
    const [at, below, roots, none] = [
      await call(elsewhere, { input: { cwd: project } }),
      await call(elsewhere, { input: { cwd: join(project, 'src') } }),
      await call(elsewhere, { input: { cwd: '', workspace_roots: [elsewhere, project] } }),
      await call(elsewhere, { input: { cwd: join(place.dir, 'no-such-folder') } }),
    ];
    for (const done of [at, below, roots]) expect(refusal(done)).toBe('R-project');
    expect(none).toMatchObject({ out: '', code: 0 });
  });

  it('HS-29 a folder in the input only adds hooks: neither empty ones nor those of another folder replace any', async () => {
    const project = await approved('project', refusing('R-project'));
    const empty = put('project/sub/hookline.yaml', 'hooks: {}');
    const other = await approved(
      'other',
      hooklineFile('PreToolUse', 'grep -q HOSTILE && { echo R-other >&2; exit 2; }; true'),
    );
    expect(refusal(await call(project, { input: { cwd: empty } }))).toBe('R-project');
    expect(refusal(await call(project, { input: { cwd: other } }))).toBe('R-project');
    const [harmless, hostile] = [{ command: 'ls' }, { command: 'HOSTILE' }].map((tool_input) =>
      call(other, { input: { cwd: empty, tool_input } }),
    );
    // The empty file does not hide the guard that was approved above it.
    expect(refusal((await harmless) as Called)).toBe('R-project');
    expect(refusal((await hostile) as Called)).toBe('R-other');
    // Its hooks are not run unless they are approved, and until then it refuses.
    const ran = join(place.dir, 'ran');
    const hostileFolder = put('hostile/hookline.yaml', hooklineFile('PreToolUse', `touch ${ran}`));
    expect(refusal(await call(other, { input: { cwd: hostileFolder } }))).toContain('not approved');
    expect(() => rmSync(ran)).toThrow();
  });

  it("HS-29 hooks of two folders chain: each judges what the one before left, and the user's own run once", async () => {
    const rewrite = (from: string, to: string): string =>
      hooklineFile(
        'PreToolUse',
        `sed 's/.*"command":"\\(${from}\\)".*/{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"${to}"}}}/'`,
      );
    const one = await approved('one', rewrite('first', 'second'));
    const two = await approved('two', rewrite('second', 'third'));
    const count = join(place.dir, 'count');
    put('home/.config/hookline/hookline.yaml', hooklineFile('PreToolUse', `echo x >> ${count}`));
    const done = await call(one, { input: { cwd: two, tool_input: { command: 'first' } } });
    expect(JSON.parse(done.out)).toMatchObject({ hookSpecificOutput: { tool_input: { command: 'third' } } });
    expect(readFileSync(count, 'utf8')).toBe('x\n');
    // A link to a folder is the same folder: its hooks run once.
    const counting = await approved('counting', hooklineFile('PreToolUse', `echo y >> ${count}`));
    const link = join(place.dir, 'link');
    symlinkSync(counting, link);
    await call(counting, { input: { cwd: link } });
    expect(readFileSync(count, 'utf8')).toBe('x\nx\ny\n');
  });

  it('HS-29 only files that the bridge reads mark a folder', async () => {
    await approved('project', refusing('R-project'));
    const sub = put('project/sub/.claude/settings.json', '{}');
    expect(refusal(await call(dirname(sub)))).toBe('R-project');
  });
});

describe('an entry that was installed for a project', () => {
  const require = { args: ['--require', '.'] };

  it('HS-30 refuses without the hooks of its project: deleted, emptied or switched off', async () => {
    const project = await approved('project', refusing('R-project'));
    mkdirSync(join(project, '.git'));
    mkdirSync(join(project, 'src'));
    for (const from of [project, join(project, 'src')])
      expect(refusal(await call(from, require))).toBe('R-project');
    // Another folder with hooks is not the project.
    const other = await approved('other', hooklineFile('PreToolUse', 'true'));
    put('project/.gemini/settings.json', '{}');
    const lost = async (input = {}): Promise<void> =>
      expect(refusal(await call(project, { ...require, input }))).toContain(
        'has no hooks, and the entry that called was installed for a project',
      );
    put('project/hookline.yaml', 'hooks: {}');
    await lost();
    rmSync(join(project, 'hookline.yaml'));
    await lost();
    await lost({ cwd: other });
    // Without the option, a folder without hooks lets everything pass, once it is accepted that they are gone.
    expect(refusal(await call(project))).toContain('accept that it is gone');
    await approve(project);
    expect(await call(project)).toMatchObject({ out: '', code: 0 });
  });

  it('HS-29 hooks approved in a folder below hide no guard that was approved above', async () => {
    const project = await approved('project', refusing('R-project'));
    const below = await approved('project/sub', hooklineFile('PostToolUse', 'true'));
    const deeper = await approved('project/sub/deeper', hooklineFile('PreToolUse', 'true'));
    for (const cwd of [project, below, deeper]) expect(refusal(await call(cwd))).toBe('R-project');
  });

  it('HS-30 finds its project from the input if the host starts it elsewhere, and in a part of a repository', async () => {
    const part = await approved('mono/packages/a', refusing('R-part'));
    await approved('mono', hooklineFile('PreToolUse', 'true'));
    mkdirSync(join(place.dir, 'mono/.git'));
    const args = ['--require', 'packages/a'];
    expect(refusal(await call(place.home, { args, input: { cwd: part } }))).toBe('R-part');
    expect(refusal(await call(join(place.dir, 'mono'), { args }))).toBe('R-part');
    put('mono/packages/a/.gemini/settings.json', '{}');
    rmSync(join(part, 'hookline.yaml'));
    // The hooks of the whole repository are not those of the project.
    expect(refusal(await call(part, { args }))).toContain('has no hooks');
  });

  it('HS-30 says so on stderr where the event cannot refuse', async () => {
    const empty = put('empty/readme', '');
    const stdin = eventOf(gemini, 'SessionStart', { session_id: 's', cwd: empty, source: 'startup' });
    const args = [...bridge(gemini, 'SessionStart'), '--require', '.'];
    const done = await place.call(args, { cwd: empty, stdin });
    expect(done).toMatchObject({ out: '', code: 0, err: expect.stringContaining('has no hooks') });
  });
});
