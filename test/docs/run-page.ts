/** Follows a page of the documentation in a project of its own, as a reader would. `tsx test/docs/run-page.ts PAGE` shows what comes. */
import {
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
import { compile } from '../support/compile-program.js';
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
  const tsx = join(root, 'node_modules/.bin/tsx');
  writeProgram(
    join(modules, '.bin/tsx'),
    `compiled=${COMPILED}/$1.mjs\nif [ ! -f "$compiled" ]; then exec ${tsx} "$@"; fi\nshift; exec node "$compiled" "$@"`,
  );
  return { home, project };
}

/** Where a project has its compiled programs: outside of what a reader sees, and where its packages are found. */
const COMPILED = 'node_modules/.compiled';

/** Compiles what a script starts with tsx: Node alone starts it in a quarter of the time. What tsx has to say about an error it says itself. */
async function compilePrograms(project: string, script: string): Promise<void> {
  rmSync(join(project, COMPILED), { recursive: true, force: true });
  for (const { 1: file = '' } of script.matchAll(/npx tsx (\S+\.ts)/g)) {
    const program = await compile(join(project, file)).catch(() => undefined);
    if (program === undefined) continue;
    const compiled = join(project, COMPILED, `${file}.mjs`);
    mkdirSync(dirname(compiled), { recursive: true });
    writeFileSync(compiled, program);
  }
}

const writeProgram = (path: string, line: string): void =>
  writeFileSync(path, `#!/bin/sh\n${line}\n`, { mode: 0o755 });

/** Writes a file as a reader would who copies the block: nothing makes it executable but `chmod +x` on the page. */
export function writeStep(project: string, { file, text }: Step & { kind: 'write' }): void {
  const path = join(project, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
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
    // A busy machine takes longer than a minute for a page that tries every guard through every host.
    timeout: 150_000,
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

/** Every command of a page with what it printed and what the page promises. `compiled`: tsx only starts what cannot be compiled. */
export async function* followPage(steps: readonly Step[], { compiled = false } = {}) {
  const { home, project } = makeProject();
  try {
    for (const step of steps) {
      if (step.kind === 'write') writeStep(project, step);
      if (step.kind !== 'run') continue;
      if (compiled) await compilePrograms(project, step.script);
      yield { ...step, ...(await runStep(home, project, step.script)) };
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
