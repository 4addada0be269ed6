/**
 * Files in which a tool finds what to run by itself: its tasks, its configuration, its plugins. A tool is covered
 * with all of these files that exist, and a file that appears later counts too.
 */
import { basename, join } from 'node:path';
import { braceExpand } from 'minimatch';
import { isKnownProgram } from '../../../shell/effects.js';
import type { ShellWord } from '../../../shell/read-line.js';
import type { Run } from './commands.js';
import { TABLE } from './definition-table.js';
import type { ExecutedFiles } from './executed-files.js';
import { addModulesOfJq, followClassPath } from './libraries.js';
import { readOperands, valuesOf } from './operands.js';
import { settingsOf } from './own-settings.js';
import { readManifest } from './packages.js';
import { isFile, matchesOf, readText, upwards } from './places.js';
import { addModule } from './python-modules.js';

const FILES: ReadonlyMap<string, string> = new Map(
  TABLE.flatMap(([tools, files]) => tools.split(' ').map((tool) => [tool, files] as const)),
);

function filesOf(tool: string): readonly string[] {
  const names = FILES.get(tool)?.split(' ') ?? [];
  return names.flatMap((name) => braceExpand(name));
}

/** Of the manifest, only what tools run counts. */
const IN_MANIFEST = 'scripts lint-staged husky wireit release'.split(' ');

const JAVA = /^(?:java|kotlin|scala|groovy|jshell)$/;
const CLASS_PATH = ['-cp', '-classpath', '--class-path', '-p', '--module-path'];
/** Their tools are among their words: `npx jest`, `python3 -m pytest`, `poetry run rake`. */
const MAX_WORDS = 6;

/** `named`: folders that its words name. Contract: adds only files that exist and are ours, and their folders. */
export function followDefinitions(run: Run, named: readonly string[], executed: ExecutedFiles): void {
  if (/^(?:go|ja)?jq$/.test(run.program)) addModulesOfJq(run, executed);
  if (JAVA.test(run.program))
    for (const { value = '' } of valuesOf(readOperands(run.args, CLASS_PATH), CLASS_PATH))
      followClassPath(value, run.folders, executed);
  if (run.program === 'java') followClass(run, executed);
  const isLeaf =
    isKnownProgram(run.program) && !/^(?:python3?|node|ruby|vim?|view|nvim|ex)$/.test(run.program);
  const words = isLeaf ? [] : run.args.slice(0, MAX_WORDS).flatMap(({ value = '' }) => toolsIn(value));
  const tools = [...new Set([run.program, ...words])];
  const names = [...new Set(tools.flatMap(filesOf))];
  // Any word may be guessed to be a command, also the name of a text.
  const isOwn = executed.isGuess ? undefined : settingsOf(run);
  if (names.length === 0 && isOwn === undefined) return;
  const folders = [...(run.folders ?? []), ...named].flatMap(upwards);
  for (const folder of new Set(folders.filter((each) => executed.isOurs(each)))) {
    for (const name of names) {
      if (name.includes('/'))
        executed.folders.add(join(folder, name.slice(0, name.lastIndexOf('/')).replace(/^\*$/, '.')));
      for (const file of matchesOf(folder, name) ?? tooMany(name, executed)) addDefinition(file, executed);
    }
    for (const file of isOwn?.(folder) ?? []) addDefinition(file, executed);
    executed.folders.add(folder);
  }
  if (tools.some((tool) => PYTHON_RUNNERS.has(tool))) followEntryPoints(run.args, run, executed);
}

/** `java Main`, which is looked for here unless a class path says otherwise. */
function followClass({ args, folders = [] }: Run, executed: ExecutedFiles): void {
  const [main] = readOperands(args, CLASS_PATH).words;
  if (!/^[\w.$/]+$/.test(main?.value ?? '') || /\.(?:java|jar)$/.test(main?.value ?? '')) return;
  for (const folder of folders) {
    const file = join(folder, `${main?.value?.replaceAll('.', '/')}.class`);
    if (isFile(file)) executed.add(file, { needed: false, program: false });
  }
}

/** `npx jest`, `-rbundler/setup`. */
function toolsIn(word: string): readonly string[] {
  return /^-r./.test(word) ? [word.slice(2).split('/', 1)[0] ?? ''] : [basename(word)];
}

function tooMany(name: string, executed: ExecutedFiles): readonly string[] {
  executed.fail(`Too many files match \`${name}\``);
  return [];
}

function addDefinition(file: string, executed: ExecutedFiles): void {
  if (basename(file) !== 'package.json') executed.add(file, { needed: false, program: false });
  else {
    const manifest = readManifest(file);
    for (const key of IN_MANIFEST) executed.addPart(file, key, manifest?.[key]);
  }
}

const PYTHON_RUNNERS = new Set('uv poetry pdm hatch rye pixi pipenv'.split(' '));

/** `uv run name`: `name = "package.module:function"` in `pyproject.toml`. */
function followEntryPoints(args: readonly ShellWord[], { folders = [] }: Run, executed: ExecutedFiles): void {
  for (const folder of folders.flatMap(upwards).filter((each) => executed.isOurs(each))) {
    const text = isFile(join(folder, 'pyproject.toml'))
      ? (readText(join(folder, 'pyproject.toml')) ?? '')
      : '';
    for (const [, name = '', module = ''] of text.matchAll(
      /^\s*["']?([\w.-]+)["']?\s*=\s*["']([\w.]+):[\w.]+["']/gm,
    ))
      if (args.some(({ value }) => value === name))
        addModule(module, [folder, join(folder, 'src')], executed);
  }
}
