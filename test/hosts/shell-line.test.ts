/** The lines that install and export write, started by a shell: from other folders, and where the program is missing. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Host } from '../../src/dialects/host/host.js';
import { HOSTS } from '../../src/dialects/hosts.js';
import { isAfterwards, protects } from '../../src/hosts/answer.js';
import { eventCalled } from '../../src/hosts/decode.js';
import { ourLine } from '../../src/hosts/install/edit.js';
import { entriesOf } from '../../src/hosts/install/entry.js';
import { installPlace, placeName } from '../../src/hosts/install/place.js';
import { callOf, type Folder, host, MAIN, makeFolder, readBy } from './support.js';

const folders: Folder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

function made(): Folder {
  const folder = makeFolder();
  folders.push(folder);
  return folder;
}

function start(line: string, cwd: string, input = '') {
  const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', line], { cwd, encoding: 'utf8', input });
  return { stdout, stderr, exit: status };
}

const missing = '/no-such-folder/hookline';

describe('a line whose program is missing', () => {
  it.each(HOSTS.map((each) => [each.name, each] as const))(
    'HS-38 %s: refuses where it can, hides the output of a tool where it can, and never keeps a turn going',
    (_name, each) => {
      for (const { name, event, line } of entriesOf(each, { line: missing })) {
        const { spelling } = eventCalled(each, name) ?? {};
        const own = spelling?.events[event];
        if (spelling === undefined || own === undefined) throw new Error(name);
        const done = start(line, '/');
        const read = readBy(each, done, event, spelling);
        expect(done.stderr, name).toContain('hookline could not answer: install it again');
        if (protects(event, own)) expect(read.refuse, name).toBeDefined();
        else expect([read.refuse, read.stop], name).toEqual([undefined, undefined]);
        if (isAfterwards(event) && own.can.includes('replace'))
          expect(read.replace, name).toContain('hookline could not answer');
        else if (!protects(event, own)) expect(done.exit, name).toBe(1);
      }
    },
  );

  it('HS-38 a refusal that is an exit code keeps its own reason, on every event', () => {
    const folder = made();
    const program = folder.write('refuses', '#!/bin/sh\necho R-own >&2\nexit 2\n');
    chmodSync(program, 0o755);
    for (const each of HOSTS.filter(({ refusesByExit }) => refusesByExit))
      for (const { name, line } of entriesOf(each, { line: program }))
        expect(start(line, '/'), `${each.name} ${name}`).toEqual({ stdout: '', stderr: 'R-own\n', exit: 2 });
  });
});

/** A project with a program that says where it was started. */
function projectOf(each: Host): Folder & { readonly line: string } {
  const folder = made();
  const place = installPlace(each, 'project');
  if (place === undefined) throw new Error(each.name);
  folder.write(placeName(each, place), '{}');
  chmodSync(folder.write('node_modules/.bin/hookline', '#!/bin/sh\necho "$PWD"\n'), 0o755);
  // Nearer, and of another project: it has no entries.
  folder.write('a/node_modules/.bin/hookline', '');
  mkdirSync(join(folder.project, "a/b 'c'"));
  const [entry] = entriesOf(each, { line: './node_modules/.bin/hookline', required: '.' });
  return { ...folder, line: entry?.line ?? '' };
}

describe('the entry of a project', () => {
  it.each(
    HOSTS.filter((each) => installPlace(each, 'project') !== undefined).map(
      (each) => [each.name, each] as const,
    ),
  )('HS-39 %s: starts hookline of its project from every folder below it', (_name, each) => {
    const { project, line } = projectOf(each);
    for (const folder of ['.', 'a', "a/b 'c'"])
      expect(start(line, join(project, folder)), folder).toEqual({
        stdout: `${project}\n`,
        stderr: '',
        exit: 0,
      });
  });

  it('HS-39 elsewhere it refuses, and says what to do', () => {
    const { project, line } = projectOf(host('codex'));
    for (const folder of [dirname(project), '/']) {
      const done = start(line, folder);
      expect(done).toMatchObject({ stdout: '', exit: 2 });
      expect(done.stderr).toContain('run npm install in the project, and start the agent inside it');
    }
  });

  it('HS-39 a host that starts in a folder below is answered with the hooks of the project', async () => {
    const folder = made();
    folder.write(
      'hookline.yaml',
      'hooks: { PreToolUse: [{ matcher: Bash, hooks: [{ type: command, command: "echo R-project >&2; exit 2" }] }] }',
    );
    const sub = dirname(folder.write('sub/x', ''));
    const program = `#!/bin/sh\nHOME='${folder.home}' exec '${process.execPath}' '${MAIN}' "$@"\n`;
    chmodSync(folder.write('node_modules/.bin/hookline', program), 0o755);
    await folder.hookline(['trust', 'approve', '--yes']);
    const installed = await folder.hookline(['install', '--host', 'codex', '--yes']);
    expect(installed.exit, installed.stderr).toBe(0);
    const text = readFileSync(join(folder.project, '.codex/hooks.json'), 'utf8');
    const codex = host('codex');
    const done = start(ourLine(codex, text, 'PreToolUse') ?? '', sub, callOf(codex, 'Bash'));
    expect(readBy(codex, done).refuse).toBe('R-project');
  });
});
