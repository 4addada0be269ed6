/** Programs that git runs: by its configuration, by an alias, or by a command that takes one. */
import type { Carried } from './carrying.js';
import type { ShellWord } from './line.js';

type Words = readonly ShellWord[];

const WITH_VALUE =
  /^(?:-C|-c|--git-dir|--work-tree|--namespace|--super-prefix|--exec-path|--config-env|--attr-source)$/;
/** Settings about appearance or identity, which run nothing. */
const HARMLESS_SETTING =
  /^(?:(?:color|advice|user|author|committer|column|i18n|push|pull|fetch|branch|init|rebase|merge|status|log|blame|tag|commit|stash|grep|index|pack|gc|safe|transfer|protocol)\.[\w.-]*|core\.(?:quotepath|autocrlf|eol|safecrlf|filemode|ignorecase|abbrev|bare|symlinks|precomposeunicode|longpaths|preloadindex|untrackedcache|commentchar|whitespace|logallrefupdates|compression)|diff\.(?:renames?|renamelimit|algorithm|context|noprefix|mnemonicprefix|colormoved|colormovedws|wserrorhighlight|submodule|relative|suppressblankempty|interhunkcontext))$/i;
const RUNS_IN_THESE =
  /^(?:merge\.[\w.-]*\.driver|rebase\.instructionformat|grep\.fallbacktonoindex|gc\.recentobjectshook)$/i;
/** Settings whose value is the name of something of git's own. A path leads to a program or a script of anybody. */
const NAMES_TOOL = /^(?:(?:diff|merge)\.(?:gui)?tool|pull\.(?:twohead|octopus))$/i;
const PLAIN_NAMES = /^[\w-]+(?: [\w-]+)*$/;
/** Settings whose value is a place with hooks or further settings. */
const NAMES_PLACE = /^(?:core\.(?:hookspath|worktree)|init\.templatedir|include\.path|includeif\..*\.path)$/i;
const NOWHERE = /^(?:|\/dev\/null)$/;
const PAGER = /^(?:core\.pager|pager\.[\w.-]+)$/i;
const HARMLESS_PAGER = /^(?:|cat|less|more|true|false|delta|less -[FRSXMNQi]+)$/;

/** Git's own commands, without internal ones. Any other word may be an alias. */
const COMMANDS = new Set(
  'add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config count-objects credential credential-cache credential-store daemon describe diagnose diff diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id grep gui hash-object help history hook http-backend imap-send index-pack init init-db instaweb interpret-trailers last-modified lfs log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-one-file merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push quiltimport range-diff read-tree rebase receive-pack reflog refs remote repack replace replay repo request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version whatchanged worktree write-tree'.split(
    ' ',
  ),
);

interface ProgramOptions {
  /** Its long options, without dashes; git accepts abbreviations too. */
  readonly names: string;
  /** Its short option, possibly after others without a value. */
  readonly letter?: RegExp;
}

/** Options of git commands whose value is a program. */
const PROGRAM_OPTIONS: Readonly<Record<string, ProgramOptions>> = {
  archive: { names: 'exec' },
  clone: { names: 'upload-pack', letter: /^-[^-jobc]*u(.*)$/s },
  daemon: { names: 'access-hook' },
  difftool: { names: 'extcmd', letter: /^-[^-t]*x(.*)$/s },
  fetch: { names: 'upload-pack' },
  'fetch-pack': { names: 'upload-pack exec' },
  'filter-branch': {
    names:
      'setup tree-filter index-filter msg-filter commit-filter env-filter parent-filter tag-name-filter subdirectory-filter',
  },
  grep: { names: 'open-files-in-pager', letter: /^-[^-eABCmf]*O(.*)$/s },
  instaweb: { names: 'httpd browser', letter: /^-[^-mp]*[db](.*)$/s },
  'ls-remote': { names: 'upload-pack exec', letter: /^-u(.*)$/s },
  pull: { names: 'upload-pack' },
  push: { names: 'receive-pack exec' },
  rebase: { names: 'exec', letter: /^-[^-sXCS]*x(.*)$/s },
  'send-email': { names: 'smtp-server to-cmd cc-cmd header-cmd sendmail-cmd' },
  'send-pack': { names: 'receive-pack exec' },
};
/** Options of git commands whose value is the name of a tool or strategy. A path leads to a program or a script of anybody. */
const NAME_OPTIONS: Readonly<Record<string, ProgramOptions>> = {
  'cherry-pick': { names: 'strategy' },
  difftool: { names: 'tool', letter: /^-[^-x]*t(.*)$/s },
  merge: { names: 'strategy', letter: /^-[^-XmFS]*s(.*)$/s },
  mergetool: { names: 'tool', letter: /^-[^-O]*t(.*)$/s },
  pull: { names: 'strategy', letter: /^-[^-XSjo]*s(.*)$/s },
  rebase: { names: 'strategy', letter: /^-[^-xXCS]*s(.*)$/s },
  revert: { names: 'strategy' },
};
/** Writes arbitrary text to an arbitrary file. */
const WRITES_ANYTHING = /^--output(?:=|$)/;
/** Files there determine what git runs. */
const INSIDE_GIT = /(?:^|[/=])\.git(?:\/|$)/i;
const MAY_BE_INSIDE_GIT = /(?:^|[/=])\.[^/]*[*?[]/;

/** Contract: pure. */
export function gitCarries(args: Words): readonly Carried[] {
  const carried: Carried[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at];
    if (word?.value === undefined) return [...carried, doubt('which command git runs')];
    if (!word.value.startsWith('-')) break;
    if (word.value.startsWith('--exec-path=')) carried.push(doubt('the folder of its commands'));
    if (word.value.startsWith('--config-env=')) carried.push(doubt('a setting'));
    if (!WITH_VALUE.test(word.value)) continue;
    at += 1;
    if (word.value === '-c') carried.push(...bySetting(args[at]?.value, args));
    if (word.value === '--config-env' || word.value === '--exec-path') carried.push(doubt(word.value));
  }
  const command = args[at]?.value;
  if (command === undefined) return carried;
  if (!COMMANDS.has(command)) return [...carried, doubt(`\`git ${command}\`, which may be an alias`)];
  const isInside = args.some(
    ({ value = '', globs }, index) =>
      (INSIDE_GIT.test(value) && !isGitDirectory(args, index)) || (globs && MAY_BE_INSIDE_GIT.test(value)),
  );
  if (isInside) carried.push(doubt('what it finds in its own directory'));
  return [...carried, ...byCommand(command, args.slice(at + 1))];
}

function isGitDirectory(args: Words, index: number): boolean {
  return args[index]?.value?.startsWith('--git-dir=') === true || args[index - 1]?.value === '--git-dir';
}

/** `-c name=value`, or the same words after `git config`. */
function bySetting(setting: string | undefined, args: Words): readonly Carried[] {
  const equals = setting?.indexOf('=') ?? -1;
  const name = equals < 0 ? setting : setting?.slice(0, equals);
  if (name === undefined) return [doubt('a setting')];
  return byValue(name, equals < 0 ? 'true' : (setting ?? '').slice(equals + 1), args);
}

function byValue(name: string, value: string | undefined, args: Words): readonly Carried[] {
  if (PAGER.test(name) && value !== undefined && HARMLESS_PAGER.test(value)) return [];
  if (/^alias\./i.test(name) && value !== undefined) {
    if (value.startsWith('!')) return [{ line: value.slice(1) }];
    // An alias expands to words of a git command.
    const [git] = args;
    return git
      ? gitCarries(value.split(/\s+/).map((text) => ({ ...git, raw: text, value: text, plain: true })))
      : [];
  }
  if (/::/.test(value ?? '')) return byAddress(value ?? '');
  if (NAMES_TOOL.test(name)) return PLAIN_NAMES.test(value ?? '') ? [] : [doubt(`what \`${name}\` names`)];
  if (NAMES_PLACE.test(name)) return NOWHERE.test(value ?? '') ? [] : [doubt(`what \`${name}\` names`)];
  if (HARMLESS_SETTING.test(name) && !RUNS_IN_THESE.test(name)) return [];
  return value === undefined || /^(?:true|false|\d+|)$/.test(value)
    ? []
    : [{ line: value.replace(/^!/, '') }];
}

function byCommand(command: string, args: Words): readonly Carried[] {
  const values = args.map(({ value }) => value);
  const [known, named] = [PROGRAM_OPTIONS[command], NAME_OPTIONS[command]];
  const lines = values.flatMap((value, index): readonly Carried[] => {
    if (value === undefined) return [];
    const [, address] = /^(?:--[\w-]+=)?([A-Za-z\d][A-Za-z\d+.-]*::.*)$/s.exec(value) ?? [];
    if (address !== undefined) return byAddress(address);
    if (command === 'apply' && /^--uns/.test(value)) return [doubt('which files it writes')];
    if (command !== 'archive' && WRITES_ANYTHING.test(value)) return [doubt('what it writes to a file')];
    const name = named && programIn(value, named);
    if (name !== undefined && !PLAIN_NAMES.test(name || (values[index + 1] ?? '')))
      return [doubt(`\`${value}\``)];
    const given = known && programIn(value, known);
    if (given === undefined) return [];
    const line = given || (command === 'grep' ? 'less' : values[index + 1]);
    return line === undefined ? [doubt(`\`${value}\``)] : [{ line }];
  });
  return [...lines, ...carriedByCommand(command, args, values)];
}

/** The value of an option that takes a program; empty if it is the next word. Undefined for other options. */
function programIn(word: string, { names, letter }: ProgramOptions): string | undefined {
  const [, name = '', value = ''] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
  if (name !== '') return names.split(' ').some((each) => each.startsWith(name)) ? value : undefined;
  return letter?.exec(word)?.[1];
}

/** `ext::program`, in which `%` marks replacements. */
function byAddress(address: string): readonly Carried[] {
  const [, line] = /^ext::([^%]*)$/s.exec(address) ?? [];
  return line === undefined ? [doubt(`\`${address}\``)] : [{ line }];
}

/** Commands that run their arguments. */
function carriedByCommand(
  command: string,
  args: Words,
  values: readonly (string | undefined)[],
): readonly Carried[] {
  const after = (word: string): number => values.indexOf(word);
  if (command === 'bisect' && values[0] === 'run') return [{ words: args.slice(1) }];
  if (command === 'bisect' && /^vi/.test(values[0] ?? '')) return byView(args.slice(1));
  if (command === 'submodule' && after('foreach') >= 0) {
    const rest = args
      .slice(after('foreach') + 1)
      .filter(({ value }) => value === undefined || !/^--(?:recursive|quiet)$/.test(value));
    const line = rest.map(({ value }) => value).join(' ');
    return rest.length === 0
      ? []
      : rest.some(({ value }) => value === undefined)
        ? [doubt('`git submodule foreach`')]
        : [{ line }];
  }
  if (command === 'merge-index') return [{ words: args.filter(({ value }) => !/^-[oq]$/.test(value ?? '')) }];
  if (command === 'clone' || command === 'init') return byNewRepository(values, args);
  if (command === 'config') return bySettingsCommand(args, values);
  if (command === 'hook' || command === 'for-each-repo') return [doubt(`\`git ${command}\``)];
  return [];
}

/** `bisect view log --stat`: a command of git, unless it is a viewer. An option is one for `git log`. */
function byView(args: Words): readonly Carried[] {
  const [first] = args;
  if (first === undefined) return [];
  const git = (text: string): ShellWord => ({ ...first, raw: text, value: text });
  if (/^(?:git|tig$)/.test(first.value ?? '')) return [{ words: args }];
  return [{ words: [git('git'), ...(first.value?.startsWith('-') ? [git('log')] : []), ...args] }];
}

/** `--config name=value` is kept in the new repository, and a template may contain hooks. */
function byNewRepository(values: readonly (string | undefined)[], args: Words): readonly Carried[] {
  return values.flatMap((value = '', index): readonly Carried[] => {
    if (/^--t(?!ags)/.test(value)) return [doubt('what a template holds')];
    const [, attached] = /^(?:--co(?:n|nf|nfi|nfig)?(?:=|$)|-[^-jobu]*c)(.*)$/s.exec(value) ?? [];
    return attached === undefined ? [] : bySetting(attached || values[index + 1], args);
  });
}

const VALUED_OF_CONFIG = /^(?:-f|--file|--blob|--type|--default|--value|--comment|--url)$/;
const READS_SETTINGS = /^(?:-l|--list|--get(?:-\w+)*|--unset(?:-all)?)$/;

/** `git config name value` affects what runs later. */
function bySettingsCommand(args: Words, values: readonly (string | undefined)[]): readonly Carried[] {
  let start = 0;
  while (/^-/.test(values[start] ?? '')) start += VALUED_OF_CONFIG.test(values[start] ?? '') ? 2 : 1;
  const isReading =
    values.slice(0, start).some((value) => READS_SETTINGS.test(value ?? '')) ||
    /^(?:get|list|unset)$/.test(values[start] ?? '');
  if (isReading) return [];
  const operands = values
    .slice(start)
    .filter(
      (value, index) => value === undefined || !(value.startsWith('--') || (index === 0 && value === 'set')),
    );
  const [name, value] = operands;
  if (operands.length < 2) return name === undefined && operands.length > 0 ? [doubt('a setting')] : [];
  return name === undefined || value === undefined ? [doubt('a setting')] : byValue(name, value, args);
}

function doubt(what: string): Carried {
  return { unknown: `${what} is only known to git when it runs` };
}
