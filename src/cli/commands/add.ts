/** `hookline add`: copies ready guards with their tests into a folder and registers them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { resolveFrom } from '../../base/run-time-modules.js';
import { approveOwn } from '../add/approve.js';
import { guardCommand, READY_GUARDS, type ReadyGuard, readyGuard } from '../add/catalogue.js';
import { type PlannedFile, planFiles, readIfThere, write } from '../add/files.js';
import { register } from '../add/register.js';
import { defineCommand } from '../command.js';
import { diffLines } from '../diff.js';
import type { Printer } from '../printer.js';

type State = 'written' | 'replaced' | 'kept' | 'unchanged';

interface DoneFile extends PlannedFile {
  readonly guard: string;
  readonly state: State;
}

export const command = defineCommand({
  usage: 'add [guard...] [options]',
  about:
    'Copies ready guards into this folder, each with its hook test, registers them in hookline.yaml, and approves them.\nThe files are yours: read and change them. Without a name, lists the guards. What is there is kept: comments and\norder of hookline.yaml, and guards that you have changed.',
  args: [0, Number.POSITIVE_INFINITY],
  options: {
    'dry-run': { type: 'boolean', help: 'Only show what would be written.' },
    force: { type: 'boolean', help: 'Replace guards that you have changed, after showing the difference.' },
    json: { type: 'boolean', help: 'Print the result as JSON.' },
  },
  exits: EXIT_CODES.filter(([code]) => code !== EXIT.refused),
  examples: [
    ['hookline add', 'the list of guards'],
    ['hookline add secrets destructive-shell git', 'three guards with their tests'],
    ['hookline test', 'the tests of the guards pass'],
  ],
  async run({ args, options, io, cwd }) {
    const { printer } = io;
    if (args.length === 0) return list(printer, options.json);
    const guards = [...new Set(args)].map(readyGuard);
    const config = existsSync(join(cwd, 'hookline.yml')) ? 'hookline.yml' : 'hookline.yaml';
    const old = await readIfThere(join(cwd, config));
    const text = guards.reduce((now: string | undefined, guard) => register(now, guard), old) ?? '';
    const files = (await Promise.all(guards.map((guard) => planGuard(guard, cwd, options.force)))).flat();
    const configFile: PlannedFile = { path: config, text, old };
    const all = [...files, { ...configFile, guard: '', state: stateOf(configFile, true) }];
    if (!options.json) for (const file of all) show(file, printer, options['dry-run']);
    const changed = all.filter(({ state }) => state === 'written' || state === 'replaced');
    const own = guards.filter(
      ({ name }) => !files.some(({ guard, state }) => guard === name && state === 'kept'),
    );
    if (!options['dry-run']) {
      for (const file of changed) await write(join(cwd, file.path), file.text);
      await approveOwn(
        cwd,
        join(cwd, config),
        own.map(({ name }) => guardCommand(name)),
      );
    }
    const installed = isInstalled(cwd);
    if (options.json) {
      printer.json({
        dryRun: options['dry-run'],
        guards: guards.map(({ name }) => name),
        files: all.map(({ path, state }) => ({ path, state })),
        approved: options['dry-run'] ? [] : own.map(({ name }) => name),
        installed,
      });
    } else if (!options['dry-run'] && own.length > 0) {
      printer.line(`${printer.paint.green('approved')}  ${own.map(({ name }) => name).join(', ')}`);
      if (installed) printer.line(`\nTest them: ${printer.paint.bold('npx hookline test')}`);
    }
    if (!installed)
      printer.note(
        'The guards import hookline, which is not installed in this folder: until then they refuse everything.\nInstall it: npm install --save-dev hookline\nThen test them: npx hookline test',
      );
    return EXIT.ok;
  },
});

function list({ json, line, paint }: Printer, asJson: boolean): number {
  if (asJson) json(READY_GUARDS.map(({ name, summary }) => ({ name, summary })));
  else {
    const width = Math.max(...READY_GUARDS.map(({ name }) => name.length));
    for (const { name, summary } of READY_GUARDS) line(`${paint.bold(name.padEnd(width))}  ${summary}`);
    line(`\nAdd some: ${paint.bold('npx hookline add secrets destructive-shell git')}`);
  }
  return EXIT.ok;
}

async function planGuard({ name }: ReadyGuard, cwd: string, force: boolean): Promise<readonly DoneFile[]> {
  const files = await planFiles(name, cwd);
  return files.map((file) => ({ ...file, guard: name, state: stateOf(file, force) }));
}

function stateOf({ old, text }: PlannedFile, replaces: boolean): State {
  if (old === undefined) return 'written';
  if (old === text) return 'unchanged';
  return replaces ? 'replaced' : 'kept';
}

function show({ path, state, old, text }: DoneFile, { line, paint }: Printer, isDry: boolean): void {
  if (state === 'kept') {
    line(`${paint.magenta('kept')}  ${path}: you have changed it; --force replaces it`);
    return;
  }
  const word = { written: 'wrote', replaced: 'changed', unchanged: 'unchanged' }[state];
  const future = { written: 'would write', replaced: 'would change', unchanged: 'unchanged' }[state];
  line(`${state === 'unchanged' ? paint.dim(word) : paint.green(isDry ? future : word)}  ${path}`);
  if (state === 'replaced' && old !== undefined)
    for (const each of diffLines(old, text, paint)) line(`    ${each}`);
}

function isInstalled(cwd: string): boolean {
  try {
    resolveFrom(join(cwd, 'hooks', 'guard.mjs'), 'hookline/guard');
    return true;
  } catch {
    return false;
  }
}
