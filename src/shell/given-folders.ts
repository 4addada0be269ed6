/**
 * The folders that a program is given, or takes by itself, and whose files it may read, copy or send. Programs of which
 * this is not so are listed; any other program may.
 */
import { basename } from 'node:path/posix';
import type { FileFilter } from './affected-paths.js';
import { interpreterOf } from './interpreters.js';
import { readInvocation } from './invocations.js';
import type { ShellCommand, ShellWord } from './line.js';
import { pathsInText } from './mentions.js';

/** A text that may be a folder, and which of its files count. */
export interface GivenFolder {
  readonly path: string;
  readonly filter: FileFilter;
}

export interface GivenFolders {
  readonly folders: readonly GivenFolder[];
  /** It may be given a folder that is only known when it runs. */
  readonly unclear: boolean;
}

export const NO_FOLDERS: GivenFolders = { folders: [], unclear: false };

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** They build, check, format, test or install what is in a folder. They show at most the lines they complain about. */
const WORKS_IN_FOLDERS = list(
  'ansible-lint ant astro ava bazel biome black buf bun bundle c8 cargo cmake clang-format clang-tidy composer coverage ctest cypress deno dotnet dprint esbuild eslint flake8 flutter flit gh git go gofmt goimports golangci-lint gradle gradlew hadolint hatch helm isort jasmine jest just lefthook lerna lint-staged make gmake markdownlint meson mix mocha mvn mvnw mypy next ninja nodemon nox npm nuxt nx nyc oxlint parcel pdm phpstan phpunit pip pip3 playwright pnpm poetry pre-commit pylint pyright pytest rails rake rollup rspec rubocop ruff rustfmt sbt shellcheck storybook stylelint svelte-check swift task tap terraform tofu tox tsc tsup turbo typedoc uv vite vitest vue-tsc webpack xcodebuild yamllint yarn yapf zig',
);
/** They do that only with one of these options; otherwise they print the files. */
const FORMATS = list('prettier prettierd');
const FORMATS_IN_PLACE = /^(?:-[wcl]|--(?:write|check|list-different))$/;
/** Their words are about another machine, or they only talk to one. */
const ELSEWHERE = list('ssh mosh tmux screen');
/** They show no files, or only those that they name. */
const READS_NO_FOLDER = list(
  'unzip wget fd fdfind code open xdg-open vi vim nvim view nano emacs cloc tokei scc watchman',
);
/** They serve, pack or send the current folder if they get none. */
const TAKES_CURRENT_FOLDER = list(
  'serve http-server http.server live-server browser-sync httpd darkhttpd webfsd miniserve updog repomix gitingest surge vercel now netlify twistd',
);
/** Commands of programs that pack or send the current folder, unless they get another one. */
const HANDS_OVER =
  /^(?:pack|package|publish|deploy|upload|sync|backup|archive|mirror|serve|share|submit|sdist)$/;
const PACKS = /^(?:pack|publish|pub|sdist)$/;
/** Their commands are names of tasks, or do nothing of this kind. */
const RUNS_TASKS = list(
  'dotnet make gmake just task ant mvn mvnw gradle gradlew sbt rake nx turbo lerna gh git terraform tofu',
);
const CONTAINERS = list('docker podman nerdctl');
const COPIES_FOLDERS = /^(?:build|cp|import|bake)$/;
const VOLUME = /^(?:-v|--volume|--mount)$/;
const VOLUME_ATTACHED = /^(?:-v(?=[^-])|--(?:volume|mount)=)/;

const ALL: FileFilter = {};

/** Contract: pure. For programs of which it is not known that they read only what they name. */
export function givenFolders(command: ShellCommand): GivenFolders {
  const { program, args, isScript } = programOf(command.words);
  if (CONTAINERS.has(program)) return givenToContainer(args);
  const operands = args.flatMap(({ value }) => (value === undefined || value.startsWith('-') ? [] : [value]));
  const isHere = !isScript && takesCurrentFolder(program, operands, args);
  const isFree =
    WORKS_IN_FOLDERS.has(program) ||
    (FORMATS.has(program) && args.some(({ value = '' }) => FORMATS_IN_PLACE.test(value)));
  const isGiven =
    !isFree && !ELSEWHERE.has(program) && !READS_NO_FOLDER.has(program) && !isExecuting(program, operands);
  return {
    folders: [
      ...(isHere ? [{ path: '.', filter: ALL }] : []),
      ...(isGiven || (isFree && isHere) ? args.flatMap(foldersIn) : []),
    ],
    unclear: false,
  };
}

/** `kubectl exec pod -- ls /`. */
function isExecuting(program: string, [first]: readonly string[]): boolean {
  return (
    /^(?:kubectl|oc|lxc|incus|vagrant|flyctl|fly|heroku)$/.test(program) &&
    /^(?:exec|ssh|run)$/.test(first ?? '')
  );
}

function takesCurrentFolder(
  program: string,
  operands: readonly string[],
  args: readonly ShellWord[],
): boolean {
  if (program === 'php') return args.some(({ value }) => value?.startsWith('-S'));
  if (program === 'ruby') return args.some(({ value }) => value === '-run');
  if (TAKES_CURRENT_FOLDER.has(program) && operands.every((word) => /^[\d.:]*$/.test(word))) return true;
  if (RUNS_TASKS.has(program)) return false;
  const verbs = WORKS_IN_FOLDERS.has(program) && program !== 'cargo' ? PACKS : HANDS_OVER;
  const at = operands.slice(0, 3).findIndex((word) => verbs.test(word));
  if (at < 0 || operands.slice(0, at).some((word) => /^run(?:-script)?$/.test(word))) return false;
  return !operands.slice(at + 1).some((word) => /[./]/.test(word));
}

/** Only its volumes, and what it copies or builds, are on this machine. */
function givenToContainer(args: readonly ShellWord[]): GivenFolders {
  const [first, second] = args.flatMap(({ value }) => (value?.startsWith('-') ? [] : [value]));
  const isCopied =
    COPIES_FOLDERS.test(first ?? '') || (first !== 'compose' && COPIES_FOLDERS.test(second ?? ''));
  const mounted = args.filter(
    ({ value = '' }, at) => VOLUME.test(args[at - 1]?.value ?? '') || VOLUME_ATTACHED.test(value),
  );
  const isVolumeUnknown = ({ value, raw }: ShellWord, at: number): boolean =>
    value === undefined && (VOLUME.test(args[at - 1]?.value ?? '') || VOLUME_ATTACHED.test(raw));
  const isBuilt = isCopied && first !== 'cp' && second !== 'cp';
  const filter = isBuilt ? { ignoredBy: '.dockerignore' } : ALL;
  return {
    folders: (isCopied ? args : mounted).flatMap(foldersIn).map(({ path }) => ({ path, filter })),
    unclear: args.some(isVolumeUnknown) || (isCopied && args.some(({ value }) => value === undefined)),
  };
}

/** A text with blanks is a message, code or a line: what it names is looked for elsewhere. */
function foldersIn({ value = '' }: ShellWord): readonly GivenFolder[] {
  if (/\s/.test(value)) return [];
  return pathsInText(value).map((path) => ({ path, filter: ALL }));
}

/** Programs that run another one of a package, with the commands by which they do. */
const RUNNERS: Readonly<Record<string, RegExp | undefined>> = {
  npx: undefined,
  bunx: undefined,
  pnpx: undefined,
  uvx: undefined,
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
  bun: /^x$/,
  uv: /^run$/,
  pipx: /^run$/,
  poetry: /^run$/,
  pdm: /^run$/,
  hatch: /^run$/,
  bundle: /^exec$/,
};

/** The program that is really run, and its own arguments: `npx eslint`, `python3 -m pytest`, `python3 script.py`. */
function programOf([name, ...args]: readonly ShellWord[]): {
  readonly program: string;
  readonly args: readonly ShellWord[];
  /** A file of the project: what its own words mean is not known. */
  readonly isScript: boolean;
} {
  const program = basename(name?.value ?? '');
  if (Object.hasOwn(RUNNERS, program)) {
    const by = RUNNERS[program];
    const first = args.findIndex(({ value }) => !value?.startsWith('-'));
    const isRunner = by === undefined || by.test(args[first]?.value ?? '');
    const rest = isRunner ? args.slice(by === undefined ? first : first + 1) : [];
    const start = rest.findIndex(({ value }) => !value?.startsWith('-'));
    if (isRunner && first >= 0 && start >= 0) return programOf(nameOnly(rest.slice(start)));
  }
  const isServer = args.some(({ value }) => value === '-run');
  const interpreter =
    isServer || /^(?:npm|npx|yarn|uv|bun|deno|php|sed)$|awk$/.test(program)
      ? undefined
      : interpreterOf(program);
  const invocation = interpreter && readInvocation(args, interpreter);
  if (invocation === undefined) return { program, args, isScript: isProjectFile(name?.value ?? '') };
  const { module, script, code } = invocation;
  if (script !== undefined && interpreter?.onlyFiles?.test(script.value ?? '') === false)
    return { program, args, isScript: false };
  const start = module ?? script ?? code;
  const at = args.findIndex((word) => word === start || (start !== undefined && word.raw === start.raw));
  const rest = at < 0 ? [] : args.slice(at + 1);
  const run = module?.value ?? (script === undefined ? program : basename(script.value ?? ''));
  return { program: run, args: rest, isScript: script !== undefined };
}

function isProjectFile(path: string): boolean {
  return /^[^/].*\//.test(path) && !path.includes('node_modules/.bin/');
}

/** `npx @scope/tool@1.2`. */
function nameOnly([name, ...rest]: readonly ShellWord[]): readonly ShellWord[] {
  if (name === undefined) return rest;
  const value = name.value?.replace(/^@[^/]*\//, '').replace(/(?<=.)@[^/@]*$/, '');
  return [{ ...name, value }, ...rest];
}
