/** Follows a page of the documentation in a project of its own, as a reader would. `tsx test/docs/run-page.ts PAGE` shows what comes. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { readSteps, type Step } from './page.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A project of a reader: hookline and its optional packages are installed, nothing else is there. */
export function makeProject(): { readonly home: string; readonly project: string } {
  const home = mkdtempSync(join(tmpdir(), 'docs-'));
  const project = join(home, 'project');
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n');
  symlinkSync(root, join(modules, 'hookline'));
  writeProgram(join(modules, '.bin/hookline'), `exec node ${join(root, 'dist/cli/main.js')} "$@"`);
  // What `npx` does with an installed program, without asking the registry about itself.
  writeProgram(join(modules, '.bin/npx'), 'exec "$@"');
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  symlinkSync(join(root, 'node_modules/.bin/tsx'), join(modules, '.bin/tsx'));
  return { home, project };
}

const writeProgram = (path: string, line: string): void =>
  writeFileSync(path, `#!/bin/sh\n${line}\n`, { mode: 0o755 });

/** Writes a file as a reader would: a script that begins with `#!` is made executable. */
export function writeStep(project: string, { file, text }: Step & { kind: 'write' }): void {
  const path = join(project, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  if (text.startsWith('#!')) chmodSync(path, 0o755);
}

/** Runs a block of commands and gives what a terminal would show. */
async function runStep(home: string, project: string, script: string) {
  // The package is here already. That others can be installed is checked by their presence among ours.
  const lines = script.replaceAll(/^npm install (.+)$/gm, (_, names: string) =>
    names
      .split(' ')
      .filter((name) => !name.startsWith('-'))
      .map((name) => `test -e node_modules/${name}`)
      .join(' && '),
  );
  const { all, exitCode } = await execa('bash', ['-c', lines], {
    cwd: project,
    all: true,
    reject: false,
    extendEnv: false,
    timeout: 60_000,
    stdin: 'ignore',
    env: {
      HOME: home,
      PATH: `${join(project, 'node_modules/.bin')}:${process.env['PATH']}`,
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      npm_config_update_notifier: 'false',
      HOOKLINE_HOME: join(home, '.hookline'),
      GIT_CONFIG_NOSYSTEM: '1',
    },
  });
  return { printed: all.replaceAll(project, '~/project').replaceAll(home, '~'), exitCode };
}

/** Every command of a page with what it printed and what the page promises. */
export async function* followPage(steps: readonly Step[]) {
  const { home, project } = makeProject();
  try {
    for (const step of steps) {
      if (step.kind === 'write') writeStep(project, step);
      if (step.kind === 'run') yield { ...step, ...(await runStep(home, project, step.script)) };
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const [page] = process.argv[1] === fileURLToPath(import.meta.url) ? process.argv.slice(2) : [];
if (page !== undefined) {
  for await (const { line, script, printed, exitCode } of followPage(readSteps(readFileSync(page, 'utf8'))))
    console.log(`--- ${page}:${line} (exit code ${exitCode})\n$ ${script.trim()}\n${printed}`);
}
