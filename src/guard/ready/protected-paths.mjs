// Keeps files as they are: refuses edits, and shell lines that write, move or delete them. Reading stays free.
// This file is yours: change the list.
import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ask, codeIn, deny, guard, matchRules, readCommands, shellLineOf } from 'hookline/guard';

/** Files and folders, as in permission rules: `*` within a name, `**` across folders. */
const PATHS = [
  // Changed by package managers, not by hand.
  ...[
    '**/package-lock.json',
    '**/yarn.lock',
    '**/pnpm-lock.yaml',
    '**/Cargo.lock',
    '**/poetry.lock',
    '**/uv.lock',
  ],
  // What runs in CI, with its secrets.
  ...['.github/workflows/**', '.gitlab-ci.yml', '.circleci/**', 'Jenkinsfile', 'azure-pipelines.yml'],
  // Migrations that may have run already.
  ...['**/migrations/**'],
  // The history.
  ...['.git/**', '.husky/**'],
];
/** The hooks that guard all this, the programs that they are, and the entries of the hosts that call them. */
const HOOKS = [
  ...['hookline.*', '/hooks/**', '.hookline/**', '~/.config/hookline/**'],
  ...['node_modules/hookline/**', 'node_modules/.bin/hookline'],
  ...[
    '.claude/**',
    '.gemini/**',
    '.codex/**',
    '.qwen/**',
    '.github/hooks/**',
    '.opencode/plugins/**',
    '.clinerules/hooks/**',
  ],
  ...[
    '.cursor/hooks.json',
    '.factory/settings*.json',
    '.windsurf/hooks.json',
    '.letta/settings*.json',
    '.openhands/hooks.json',
  ],
  ...['.iflow/settings*.json', '.abacusai/config.json', '.firebender/hooks.json'],
  ...[
    '~/.claude/settings*.json',
    '~/.gemini/settings.json',
    '~/.codex/hooks.json',
    '~/.codex/config.toml',
    '~/.qwen/settings.json',
  ],
  ...[
    '~/.copilot/hooks/**',
    '~/.config/opencode/plugins/**',
    '~/Documents/Cline/Hooks/**',
    '~/.cursor/hooks.json',
  ],
  ...[
    '~/.factory/settings.json',
    '~/.codeium/windsurf/hooks.json',
    '~/.letta/settings.json',
    '~/.openhands/hooks.json',
  ],
  ...[
    '~/.kimi-code/config.toml',
    '~/.iflow/settings.json',
    '~/.abacusai/config.json',
    '~/.firebender/hooks.json',
  ],
];
/** Programs that only read, or whose job it is to change some of these files. */
const FREE =
  /^(|cat|head|tail|less|more|bat|nl|wc|ls|tree|stat|file|grep|egrep|rg|ag|diff|cmp|sort|uniq|cut|jq|yq|awk|echo|printf|test|\[|cd|pwd|sha256sum|md5sum|npm|pnpm|yarn|bun|npx|cargo|poetry|uv|pip|git|gh|hookline)$/;

/** The program that manages these hooks, also by its file. */
const HOOKLINE =
  /(^|[/:])hookline(@[^/]*)?$|hookline\/(.*\/)?cli\/main\.[cm]?js$|^(.*\/)?dist\/cli\/main\.[cm]?js$/;

const RULES = [...PATHS, ...HOOKS].map((path) => `Edit(${path})`);
/** How a word of a line names one of them. */
const namesOf = (paths) =>
  paths.map((path) => {
    // `/hooks/**` are those of the project, and not src/hooks.
    const isOwn = path.startsWith('/');
    const name = path.replace(/^(\*\*|~)?\//, '').replace(/\/?\*\*$/, '');
    const pattern = name.replaceAll('.', '\\.').replace(/\*$/, '').replaceAll('*', '[^/]*');
    return new RegExp(
      `(^|[\\s'"=(:]|${isOwn ? '' : '/|'}(?<!\\.)\\./)${pattern}${name.endsWith('*') ? '' : `(?![\\w.-])`}`,
    );
  });
const NAMES = namesOf([...PATHS, ...HOOKS]);
const HOOK_NAMES = namesOf(HOOKS);
/** The folders of these in the project or the home, which take them along: `.github`. */
const PARENTS = [...PATHS, ...HOOKS].flatMap(
  (path) => /^(?:~\/)?(\.(?!config)[\w-]+)\/(?!\*)/.exec(path)?.[1] ?? [],
);
/** Names that a pattern of `find` may find. */
const EXAMPLES = [
  'hookline.yaml',
  'package-lock.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'Cargo.lock',
  'secrets.mjs',
];

await guard((input) => {
  const managed = decidesTrust(input);
  if (managed !== undefined) return managed;
  const match = matchRules(RULES, input);
  if (match?.certain) return deny(`${match.reason} It is protected: ask the user to change it.`);
  const line = shellLineOf(input);
  if (line === undefined) return undefined;
  const { commands } = readCommands(line, input.cwd);
  for (const { behind, text } of commands) {
    const carried = behind === 'container' ? undefined : behind && matchRules(RULES, lineOf(text, input));
    if (carried?.certain) return deny(`${carried.reason} It is protected: ask the user to change it.`);
  }
  const written = commands.flatMap(({ writes, folders }) =>
    writes.filter((word) => /[*?[]/.test(word)).flatMap((word) => expanded(folders?.[0] ?? input.cwd, word)),
  );
  const hit = written.map((file_path) =>
    matchRules(RULES, {
      ...input,
      tool_name: 'Edit',
      tool_input: { file_path, old_string: '', new_string: '' },
    }),
  );
  const sure = hit.find((each) => each?.certain);
  if (sure !== undefined) return deny(`${sure.reason} It is protected: ask the user to change it.`);
  const doubtful = commands.filter(
    (command) => command.program === undefined || !FREE.test(command.program) || writesByOption(command),
  );
  const named = doubtful.find((command) => [...targetsOf(command), ...savedBy(command)].some(namesProtected));
  const changing = commands.find((command) => changesHooks(command) || changesFound(command, commands));
  const suspect =
    named ?? changing ?? commands.find((command) => codeIn(command, line).some(writesProtected));
  if (suspect !== undefined) return ask(`\`${suspect.text}\` may change a protected file.`);
  const isHidden = /[$]\(|`|eval|base64|xxd/.test(line) || (doubtful.length > 0 && namesProtected(line));
  return match !== undefined && isHidden ? ask(match.reason) : undefined;
});

/** The words that may name what a program writes. A copy that leaves the project writes nothing in it. */
function targetsOf({ program, args, operands }) {
  const last = operands.at(-1) ?? '';
  const isCopy =
    program === 'cp' && operands.length > 1 && !args.some((arg) => /^(-\w*t|--target)/.test(arg));
  return isCopy && /^[/~]/.test(last) ? [last] : args;
}

function lineOf(command, input) {
  return { ...input, tool_name: 'Bash', tool_input: { command } };
}

/** Git manages the history, but no hooks: `git rm hookline.yaml`. Without hookline no guard runs. */
function changesHooks({ program, args, operands }) {
  if (program === 'git')
    return (
      /^(rm|mv|checkout|restore|clean|update-index|apply)$/.test(operands[0]) &&
      operands.slice(1).some((word) => HOOK_NAMES.some((name) => name.test(word)))
    );
  const isRemoved = /^(un(install|link)?|remove|rm|r)$/.test(operands[0]) && operands.includes('hookline');
  return /^(npm|pnpm|yarn|bun)$/.test(program) && (isRemoved || args.some((arg) => /^hookline@/.test(arg)));
}

/** `find . -name 'hook*' -delete`, also with `-exec` or `xargs` and a program that writes. */
function changesFound({ program, args }, commands) {
  if (!/^(g?find|fd|fdfind)$/.test(program)) return false;
  const writes =
    args.includes('-delete') ||
    commands.some(
      (each) => /^(rm|unlink|mv|tee|truncate|shred|sed|perl)$/.test(each.program) && each.unknown,
    );
  const patterns = /^fd/.test(program)
    ? args
        .filter((arg) => !arg.startsWith('-'))
        .slice(0, 1)
        .map((arg) => `*${arg}*`)
    : args.filter((_, at) => /^-i?name$/.test(args[at - 1]));
  return writes && patterns.some((pattern) => EXAMPLES.some((name) => isMeant(name, pattern)));
}

function isMeant(name, pattern) {
  const wanted = pattern
    .replace(/[\\.+^$(){}|[\]]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${wanted}$`, 'i').test(name);
}

/** Code that names a protected file, or manages these hooks. */
function writesProtected(code) {
  return (
    /(^|['"`\s/=])hookline['"`\s]+(trust|install|uninstall)|cli\/main\.[cm]?js/.test(code) ||
    namesProtected(code)
  );
}

/** A person decides which hooks are trusted, and whether a host runs them. */
function decidesTrust(input) {
  const { commands } = readCommands(shellLineOf(input) ?? '', input.cwd);
  for (const { program = '', args, unknown, text } of commands) {
    const words = [program, ...args];
    const at = words.findLastIndex((word) => HOOKLINE.test(word));
    if (at < 0) continue;
    const rest = words.slice(at + 1);
    const isTrust =
      rest.includes('trust') && rest.some((word) => /^(approve|revoke|accept|withdraw)$/.test(word));
    const isForced =
      /^(add|init)$/.test(rest.find((word) => !word.startsWith('-'))) && rest.includes('--force');
    if (isTrust || isForced || rest.some((word) => /^(un)?install$/.test(word)))
      return deny(`\`${text}\` changes which hooks are in force: let the user do it.`);
    const [first] = rest.filter((word) => !word.startsWith('-'));
    if (unknown && (first === undefined || first === 'trust' || /[$`]/.test(first)))
      return ask(`\`${text}\` may change which hooks are in force.`);
  }
  return undefined;
}

/** Programs that read, but not with these options. */
function writesByOption({ program, args, operands, has }) {
  if (/^(npm|pnpm|yarn|bun|npx|uv|poetry|git|gh|cargo|pip|hookline)$/.test(program))
    return rewrites(program, args);
  if (program === 'sort') return has('-o', '--output') || args.some((arg) => /^-\w*o./.test(arg));
  if (program === 'uniq') return operands.length > 1;
  if (program === 'tree') return has('-o');
  if (program === 'yq') return has('-i', '--inplace');
  if (program === 'awk') return has('-i') || args.some((arg) => arg.includes('>') || arg.includes('|'));
  return false;
}

/** Programs of packages that write the files they are given: `prettier --write`, `shx rm`, `rimraf`, `cpy`. */
function rewrites(program, args) {
  if (!/^(npm|pnpm|yarn|bun|npx)$/.test(program)) return false;
  const writes =
    /^(-w|-i|--write|--fix|--in-?place)(=|$)|^(rimraf|del-cli|shx|cpy(-cli)?|trash|trash-cli|make-dir-cli|touch-cli)(@.*)?$/;
  return args.some((arg) => writes.test(arg));
}

/** The names under which a download is saved if the line gives none. */
function savedBy({ program, args }) {
  const isNamed = program === 'wget' || args.some((arg) => /^(-[a-zA-Z]*[OJ]|--remote-name.*)$/.test(arg));
  if (!/^(curl|wget|aria2c)$/.test(program) || !isNamed) return [];
  return args.filter((arg) => arg.includes('/')).map((url) => basename(url.replace(/[?#].*$/, '')));
}

/** The files that a pattern stands for, as a shell expands it. */
function expanded(folder, pattern) {
  const parts = resolve(folder, pattern).split('/').slice(1);
  return parts.reduce(
    (found, part) =>
      found.flatMap((each) => (/[*?[]/.test(part) ? inFolder(each, part) : [join(each, part)])),
    ['/'],
  );
}

function inFolder(folder, pattern) {
  const wanted = pattern
    .replace(/[\\.+^$(){}|]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  try {
    const name = new RegExp(`^${wanted.replaceAll('[!', '[^')}$`);
    return readdirSync(folder).flatMap((each) => (name.test(each) ? [join(folder, each)] : []));
  } catch {
    return [];
  }
}

function namesProtected(text) {
  const [, attached = ''] = /^-[a-zA-Z](.+)$/s.exec(text) ?? [];
  const folder = basename(text.replace(/\/[*.]?$/, ''));
  return PARENTS.includes(folder) || NAMES.some((name) => name.test(text) || name.test(attached));
}
