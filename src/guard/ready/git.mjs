// Keeps the history of shared branches: refuses force pushes, pushes and commits to protected branches, skipped hooks
// and rewritten history. This file is yours: change the branches and the policy.
import { spawnSync } from 'node:child_process';
import { basename, resolve } from 'node:path';
import { ask, codeIn, deny, guard, readCommands, shellLineOf } from 'hookline/guard';

const PROTECTED = /^(main|master|trunk|develop|production|release(\/.*)?)$/;
/** Whether `--force-with-lease` is allowed on branches that are not protected. */
const ALLOW_LEASE = true;

/** Names that `refs/heads/*` stands for. */
const EXAMPLES = ['main', 'master', 'trunk', 'develop', 'production', 'release/1'].filter((name) =>
  PROTECTED.test(name),
);

/** Options of git before its command that take the next word. */
const TAKES_VALUE =
  /^(-c|-C|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--attr-source|--exec-path)$/;
/** Settings that skip hooks, or that change what a push does or where it goes. */
const RISKY_SETTING = /^(core\.hookspath|push\.|remote\.|branch\.|url\.|alias\.|include|receive\.)/i;
/** Variables that skip hooks, or that change which repository and settings git uses. */
const RISKY_VARIABLE =
  /^(HUSKY=0|HUSKY_SKIP|SKIP=|LEFTHOOK=(0|false)|LEFTHOOK_EXCLUDE|PRE_COMMIT_ALLOW|GIT_(CONFIG|DIR|WORK_TREE|EXEC_PATH))/;
/** Code that calls git to do what this guard looks at: `os.system('git push -f')`, `['git', 'push', '-f']`. */
const CALLS_GIT =
  /\bgit\b[\s'",]+([\w=./'",\s-]*[\s'",])?(push|commit|reset|rebase|branch|update-ref|filter-branch|filter-repo|reflog)\b/;
/** Removes or switches off the programs that git runs. */
const HOOKS = /(^|\/)\.git\/hooks(\/|$)|(^|\/)\.husky(\/|$)/;
const COMMITS = /^(commit|merge|cherry-pick|revert|am|pull)$/;

/** Commands of git cannot be aliases, so most calls need no look at the settings. */
const COMMANDS =
  /^(add|am|apply|archive|bisect|blame|branch|bundle|checkout|cherry-pick|clean|clone|commit|config|describe|diff|fetch|filter-branch|format-patch|fsck|gc|grep|init|log|ls-files|ls-remote|ls-tree|merge|merge-base|mv|notes|pull|push|range-diff|rebase|reflog|remote|reset|restore|rev-list|rev-parse|revert|rm|shortlog|show|sparse-checkout|stash|status|submodule|switch|symbolic-ref|tag|update-ref|worktree)$/;

await guard((input) => {
  const line = shellLineOf(input);
  if (line === undefined || !mayCallGit(line)) return undefined;
  const { commands, unreadable } = readCommands(line, input.cwd);
  /** The branch that an earlier command of the line switched to. */
  let switched;
  /** The branches of the work trees that the line adds. */
  const trees = new Map();
  /** Variables that earlier commands of the line set. */
  const set = [];
  for (const command of commands) {
    if (/^(export|declare|typeset|)$/.test(command.program ?? ''))
      set.push(...command.args, ...command.variables);
    if (removesHooks(command)) return deny(`\`${command.text}\` skips the hooks of the repository.`);
    if (codeIn(command, line).some((code) => CALLS_GIT.test(code)))
      return ask(`\`${command.text}\` runs code that calls git.`);
    for (const call of gitCalls({ ...command, variables: [...set, ...command.variables] }, input.cwd)) {
      const tree = [...trees.keys()].find((folder) => `${call.folder}/`.startsWith(`${folder}/`));
      const branch = tree === undefined ? (switched ?? currentBranch(call.folder)) : trees.get(tree);
      const reason = refusal(call, branch);
      if (reason !== undefined) return deny(`\`${command.text}\` ${reason}.`);
      const question = doubt(call, command);
      if (question !== undefined) return ask(`\`${command.text}\` ${question}.`);
      const added = treeAdded(call);
      if (added !== undefined) trees.set(added.folder, added.branch);
      if (tree === undefined) switched = switchedTo(call) ?? switched;
      else trees.set(tree, switchedTo(call) ?? branch);
    }
  }
  if (unreadable !== undefined)
    return ask(`What this line does with git cannot be determined: ${unreadable}.`);
  return undefined;
});

/** A line without the letters of git, and without anything that could become them, is not read. */
function mayCallGit(line) {
  return /g.*i.*t|hub|husky|bfg/is.test(line) || /[$`*?[{]|\|\s*\S*sh\b/.test(line);
}

function removesHooks({ program = '', args, operands }) {
  if (!operands.some((word) => HOOKS.test(word))) return false;
  const isOff = args.some((arg) => /^([ugoa]*-[rw]*x|0?[0246]{3})$/.test(arg));
  return /^(rm|unlink|mv|truncate|shred)$/.test(program) || (program === 'chmod' && isOff);
}

/** Why a call of git is refused; undefined if it is not. */
function refusal({ name, args, settings, variables }, branch) {
  const has = (...options) => args.some((arg) => options.some((option) => isOption(arg, option)));
  const operands = args.filter((arg) => !arg.startsWith('-'));
  const isProtected = (ref = '') => {
    const name = ref.replace(/^\+?(refs\/)?(heads\/)?/, '');
    return PROTECTED.test(name) || (name.includes('*') && EXAMPLES.some((each) => isMeant(each, name)));
  };
  const here = isProtected(branch);

  if (settings.some((setting) => /^core\.hookspath/i.test(setting)))
    return 'skips the hooks of the repository';
  if (variables.some((each) => /^(HUSKY|SKIP|LEFTHOOK|PRE_COMMIT)/.test(each) && RISKY_VARIABLE.test(each)))
    return 'skips the hooks of the repository';
  if (has('--no-verify') || (name === 'commit' && has('-n'))) return 'skips the hooks of the repository';
  if (name === 'push') return refusedPush(args, operands, branch, isProtected, has);
  if (/^(filter-branch|filter-repo|fast-import|replace)$/.test(name)) return 'rewrites history';
  if (/^(send-pack|http-push)$/.test(name)) return 'pushes past the usual checks';
  if (COMMITS.test(name) && here && !has('--abort', '--quit', '--ff-only'))
    return `changes the protected branch ${branch}. Make a branch: git switch -c <name>`;
  if (name === 'rebase' && here && !has('--abort', '--quit'))
    return `rewrites the protected branch ${branch}`;
  if (name === 'rebase' && isProtected(operands[1])) return `rewrites the protected branch ${operands[1]}`;
  if (
    name === 'reset' &&
    here &&
    (has('--hard', '--soft', '--mixed', '--keep', '--merge') || operands.length > 0)
  ) {
    const target = operands[0] ?? 'HEAD';
    if (/^(HEAD~|HEAD\^|HEAD@|@)|^[0-9a-f]{7,40}$|\//.test(target))
      return `moves the protected branch ${branch}`;
  }
  if (
    name === 'branch' &&
    has('-f', '-D', '-d', '-M', '-m', '-C', '--force', '--delete', '--move') &&
    operands.some(isProtected)
  )
    return 'moves or deletes a protected branch';
  if (name === 'branch' && has('-M', '-m', '--move') && here) return `renames the protected branch ${branch}`;
  const attached = args.flatMap((arg) => /^-[fq]*[BC](.+)$/.exec(arg)?.[1] ?? []);
  if (
    /^(checkout|switch)$/.test(name) &&
    has('-B', '-C', '--force-create') &&
    [...operands, ...attached].some(isProtected)
  )
    return 'moves a protected branch';
  if (name === 'worktree' && has('-B') && operands.some(isProtected)) return 'moves a protected branch';
  if (name === 'remote' && has('--mirror')) return 'makes every push or fetch overwrite all branches';
  if (name === 'update-ref' && (operands.some(isProtected) || (here && /^(HEAD|@)$/.test(operands[0]))))
    return 'moves a protected branch';
  if (name === 'symbolic-ref' && (operands.length > 1 || has('-d', '--delete')))
    return 'moves HEAD past the usual checks';
  if (
    /^(fetch|pull)$/.test(name) &&
    operands.some((ref) => /:/.test(ref) && isProtected(ref.split(':').at(-1)))
  )
    return 'moves a protected branch';
  if (name === 'reflog' && /^(expire|delete)$/.test(operands[0])) return 'removes what could restore history';
  if (name === 'prune' && has('--expire')) return 'removes what could restore history';
  if (settings.some((setting) => /^gc\./i.test(setting))) return 'removes what could restore history';
  if (name === 'gc' && has('--prune')) return 'removes what could restore history';
  return undefined;
}

function isMeant(name, pattern) {
  const [start = '', ...rest] = pattern.split('*');
  return name.startsWith(start) && name.endsWith(rest.at(-1) ?? '');
}

function refusedPush(args, operands, branch, isProtected, has) {
  if (has('--mirror')) return 'overwrites every branch of the remote';
  if (has('--delete', '-d', '--prune')) return 'deletes branches of the remote';
  if (has('--all', '--branches')) return 'pushes protected branches too';
  const refs = operands.slice(1);
  if (refs.some((ref) => ref.startsWith('+'))) return 'forces a push';
  if (refs.some((ref) => ref.startsWith(':'))) return 'deletes branches of the remote';
  const targets = refs.length > 0 ? refs.map((ref) => ref.split(':').at(-1)) : [branch];
  const shared = targets.map((ref) => (/^(HEAD|@)$/.test(ref) ? branch : ref)).find(isProtected);
  const isLeased = args.some((arg) => /^--force-w/.test(arg));
  const isForced = args.some((arg) => /^--forc?e?(=.*)?$/.test(arg) || /^-[a-zA-Z\d]*f/.test(arg));
  if (isForced || (isLeased && !ALLOW_LEASE))
    return 'forces a push. Use --force-with-lease on your own branch';
  if (shared !== undefined)
    return `pushes to the protected branch ${shared}. Push a branch and open a pull request`;
  return undefined;
}

/** What a person should look at; undefined if nothing. */
function doubt({ name, args, settings, variables }, { unknown }) {
  if (name === 'update-ref' && args.includes('--stdin')) return 'reads which branches it moves';
  if (name === undefined) return 'calls git with a command that is only known when it runs';
  if (unknown && /^(push|rebase|reset|branch|update-ref)$/.test(name))
    return 'has words that are only known when it runs';
  if (settings.some((setting) => RISKY_SETTING.test(setting)))
    return 'changes the settings of git for one command';
  if (variables.some((each) => RISKY_VARIABLE.test(each)))
    return 'changes which repository or settings git uses';
  const [setting] = name === 'config' ? args.filter((arg) => RISKY_SETTING.test(arg)) : [];
  const changes = args.some((arg) =>
    /^(--unset|--unset-all|--edit|-e|--remove-section|--rename-section)$/.test(arg),
  );
  if (name === 'config' && changes && (setting !== undefined || /^(--edit|-e)$/.test(args.at(-1))))
    return 'changes the settings of git';
  const isRead =
    args.some((arg) => /^(--get|--list|-l|get|list)/.test(arg)) ||
    args.filter((arg) => !arg.startsWith('-')).length < 2;
  if (setting !== undefined && !isRead) return `changes the setting ${setting} of git`;
  return undefined;
}

/** The calls of git that a command makes: itself, or what its alias stands for. */
function gitCalls({ program = '', args, variables, folders }, cwd, depth = 0) {
  const direct = /^git-(.+)$/.exec(program)?.[1];
  if (!/^(git|hub)$/.test(program) && direct === undefined) return [];
  const settings = [];
  let folder = folders?.[0] ?? cwd;
  let at = 0;
  for (; direct === undefined && at < args.length && args[at].startsWith('-'); at += 1) {
    const [option, value = args[at + 1]] = args[at].split(/=(.*)/s);
    if (option === '-c' || option === '--config-env') settings.push(value ?? '');
    else if (/^-c./.test(args[at])) settings.push(args[at].slice(2));
    if (option === '-C') folder = resolve(folder, value ?? '.');
    if (TAKES_VALUE.test(args[at])) at += 1;
  }
  const name = direct ?? args[at];
  const rest = direct === undefined ? args.slice(at + 1) : args;
  const own = { name: /[$`]/.test(name ?? '') ? undefined : name, args: rest, settings, variables, folder };
  const alias = depth < 5 && own.name !== undefined ? aliasOf(own.name, settings, folder) : undefined;
  if (alias === undefined) return name === undefined ? [] : [own];
  const line = alias.startsWith('!') ? alias.slice(1) : `git ${alias}`;
  const { commands } = readCommands(`${line} ${rest.map(quote).join(' ')}`, folder);
  return commands.flatMap((command) =>
    gitCalls({ ...command, variables, folders: [folder] }, cwd, depth + 1),
  );
}

function quote(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function aliasOf(name, settings, folder) {
  if (COMMANDS.test(name)) return undefined;
  const given = settings.find((setting) => setting.startsWith(`alias.${name}=`));
  if (given !== undefined) return given.slice(name.length + 7);
  const { stdout } = spawnSync('git', ['config', '--get', `alias.${name}`], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout?.trim() || undefined;
}

function switchedTo({ name, args }) {
  if (name !== 'checkout' && name !== 'switch') return undefined;
  const target = args.filter((arg) => !arg.startsWith('-'));
  // `checkout main --` names a branch, `checkout main -- file` a file.
  return args.includes('--') && args.at(-1) !== '--' ? undefined : target[0];
}

/** `git worktree add folder branch`; without a branch its name is that of the folder. */
function treeAdded({ name, args, folder }) {
  if (name !== 'worktree' || args[0] !== 'add') return undefined;
  const at = args.findIndex((arg) => /^-[bB]$/.test(arg));
  const [path, branch] = args.filter(
    (arg, index) => index > 0 && !arg.startsWith('-') && (at < 0 || index !== at + 1),
  );
  if (path === undefined) return undefined;
  const isDetached = args.some((arg) => /^(-d|--det.*)$/.test(arg));
  const made = at < 0 ? (branch ?? basename(path)) : args[at + 1];
  return { folder: resolve(folder, path), branch: isDetached ? undefined : made };
}

/** Undefined outside of a repository, and on no branch. */
function currentBranch(folder) {
  const { stdout } = spawnSync('git', ['symbolic-ref', '--short', '-q', 'HEAD'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout?.trim() || undefined;
}

/** `-f` also in `-uf`; long options also abbreviated. */
function isOption(arg, option) {
  if (option.startsWith('--')) return arg.split('=')[0].length > 3 && option.startsWith(arg.split('=')[0]);
  return arg === option || (/^-[a-zA-Z\d]+$/.test(arg) && arg.includes(option[1]));
}
