// Formats a file after each edit, with the first formatter that the project has. It refuses nothing: if the formatter
// fails, the model reads why. This file is yours: change the list.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { context, editedPaths, guard } from 'hookline/guard';

/** Which files, and the command; `FILE` is replaced. A program is looked for in node_modules/.bin and in PATH. */
const FORMATTERS = [
  [
    /\.([cm]?[jt]sx?|jsonc?|css|graphql)$/,
    ['biome', 'format', '--write', 'FILE'],
    ['biome.json', 'biome.jsonc'],
  ],
  [/\.([cm]?[jt]sx?|json5?|s?css|less|html|vue|svelte|mdx?|ya?ml|graphql)$/, ['prettier', '--write', 'FILE']],
  [/\.pyi?$/, ['ruff', 'format', 'FILE']],
  [/\.pyi?$/, ['black', '--quiet', 'FILE']],
  [/\.go$/, ['gofmt', '-w', 'FILE']],
  [/\.rs$/, ['rustfmt', 'FILE']],
  [/\.(sh|bash)$/, ['shfmt', '-w', 'FILE']],
  [/\.tf$/, ['terraform', 'fmt', 'FILE']],
];
const TIMEOUT_MS = 30_000;

await guard((input) => {
  const notes = editedPaths(input).map((path) => format(resolve(input.cwd, path), input.cwd));
  const text = notes.filter((note) => note !== undefined).join('\n');
  return text === '' ? undefined : context('PostToolUse', text);
});

/** What the model should know; undefined if nothing changed. */
function format(file, cwd) {
  if (!existsSync(file)) return undefined;
  for (const [names, [name, ...args], needs = []] of FORMATTERS) {
    const program = names.test(file) ? find(name, cwd) : undefined;
    if (program === undefined || (needs.length > 0 && !needs.some((each) => existsSync(join(cwd, each)))))
      continue;
    const before = readFileSync(file, 'utf8');
    const words = args.map((arg) => (arg === 'FILE' ? file : arg));
    const { status, stdout, stderr, error } = spawnSync(program, words, {
      cwd,
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    });
    if (status !== 0)
      return `${name} cannot format ${file}:\n${(error?.message ?? stdout + stderr).slice(0, 1000)}`;
    return readFileSync(file, 'utf8') === before
      ? undefined
      : `${name} has formatted ${file}. Read it again before you edit it.`;
  }
  return undefined;
}

/** In this folder and those above it, then in PATH. */
function find(name, cwd) {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const local = join(folder, 'node_modules', '.bin', name);
    if (existsSync(local)) return local;
    if (folder === dirname(folder)) break;
  }
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}
