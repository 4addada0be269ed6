// Keeps files as they are: refuses edits, and shell lines that write, move or delete them. Reading stays free.
// This file is yours: change the list.
import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ask, deny, guard, matchRules, readCommands, shellLineOf } from 'hookline/guard';

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
  // The history, and the hooks that guard all this.
  ...[
    '.git/**',
    '.husky/**',
    'hookline.*',
    'hooks/**',
    '.hookline/**',
    '.claude/**',
    '.gemini/**',
    '.codex/**',
  ],
];
/** Programs that only read, or whose job it is to change some of these files. */
const FREE =
  /^(|cat|head|tail|less|more|bat|nl|wc|ls|tree|stat|file|grep|egrep|rg|ag|diff|cmp|sort|uniq|cut|jq|yq|awk|echo|printf|test|\[|cd|pwd|sha256sum|md5sum|npm|pnpm|yarn|bun|npx|cargo|poetry|uv|pip|git|gh|hookline)$/;

/** The program that manages these hooks, also by its file. */
const HOOKLINE =
  /(^|\/)hookline(@[^/]*)?$|hookline\/(.*\/)?cli\/main\.[cm]?js$|^(.*\/)?dist\/cli\/main\.[cm]?js$/;

const RULES = PATHS.map((path) => `Edit(${path})`);
/** How a word of a line names one of them. */
const NAMES = PATHS.map((path) => {
  const name = path.replace(/^\*\*\//, '').replace(/\/?\*\*?$/, '');
  return new RegExp(`(^|[\\s'"=(]|\\./)${name.replaceAll('.', '\\.')}`);
});

await guard((input) => {
  const managed = decidesTrust(input);
  if (managed !== undefined) return managed;
  const match = matchRules(RULES, input);
  if (match?.certain) return deny(`${match.reason} It is protected: ask the user to change it.`);
  const line = shellLineOf(input);
  if (line === undefined) return undefined;
  const { commands } = readCommands(line, input.cwd);
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
  const named = doubtful.find((command) => [...command.args, ...savedBy(command)].some(namesProtected));
  if (named !== undefined) return ask(`\`${named.text}\` may change a protected file.`);
  const isHidden = /[$]\(|`|eval|base64|xxd/.test(line) || (doubtful.length > 0 && namesProtected(line));
  return match !== undefined && isHidden ? ask(match.reason) : undefined;
});

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
    if (isTrust || rest.some((word) => /^(un)?install$/.test(word)))
      return deny(`\`${text}\` changes which hooks are in force: let the user do it.`);
    const [first] = rest.filter((word) => !word.startsWith('-'));
    if (unknown && (first === undefined || first === 'trust' || /[$`]/.test(first)))
      return ask(`\`${text}\` may change which hooks are in force.`);
  }
  return undefined;
}

/** Programs that read, but not with these options. */
function writesByOption({ program, args, operands, has }) {
  if (program === 'sort') return has('-o', '--output');
  if (program === 'uniq') return operands.length > 1;
  if (program === 'tree') return has('-o');
  if (program === 'yq') return has('-i', '--inplace');
  if (program === 'awk') return has('-i') || args.some((arg) => arg.includes('>') || arg.includes('|'));
  const isRunner = /^(npm|pnpm|yarn|bun|npx)$/.test(program);
  return isRunner && args.some((arg) => /^(-w|-i|--write|--fix|--in-?place)(=|$)/.test(arg));
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
  return NAMES.some((name) => name.test(text));
}
