// Refuses shell lines that delete or overwrite much, or that run what they download. It reads a line as a shell does:
// `sudo rm`, `sh -c 'rm …'`, `find -exec rm` and `r\m` are all rm. This file is yours: change what it refuses.
import { statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { ask, deny, guard, reachOf, readCommands, shellLineOf } from 'hookline/guard';

/** Never, whatever their arguments are. */
const NEVER =
  /^(mkfs(\..+)?|mke2fs|mkswap|wipefs|[sc]?fdisk|s?gdisk|parted|blkdiscard|shutdown|reboot|halt|poweroff|shred|srm|userdel|groupdel|[vlp]v?remove|vgremove|zpool)$/;
/** A person decides. Each is the start of a command. */
const ASK = [
  ...['git stash clear', 'git stash drop'],
  ...['docker system prune', 'docker volume rm', 'docker volume prune', 'kubectl delete', 'helm uninstall'],
  ...['terraform destroy', 'terraform apply -destroy', 'pulumi destroy', 'aws s3 rb', 'aws s3 rm'],
  ...['npm unpublish', 'gh repo delete', 'dropdb'],
];
const DEVICE = /^\/dev\/(?!(null|zero|full|stdin|stdout|stderr|tty|u?random|(shm|fd|pts)\/.*)$)/;
const DOWNLOADS = /^(curl|wget|fetch|aria2c|https?|xh)$/;
const SHELLS = /^((ba|da|z|k|a|mk|rb|fi|t?c)?sh|source|\.|eval)$/;
const INTERPRETERS = /^(python[\d.]*|node|nodejs|deno|bun|tsx|perl|ruby|php|lua|osascript|Rscript)$/;
/** They wait for lines if they get no file. */
const CONSOLES = /^(irb|pry|ipython3?|bpython|ghci|iex|erl|jshell|julia|R|screen|expect|su)$/;
/** Options that leave a shell or an interpreter waiting. */
const STILL_WAITS =
  /^(-|-[ilsuqBEIxefrW]+|--(login|norc|noprofile|posix|interactive|restricted|no-?rcs|rcfile=.*|init-file=.*))$/;
/** A program that deletes, as the first word of what `find` or `fd` runs. */
const DELETING = String.raw`(\S*\/)?(rm|unlink|shred|truncate)\b`;
/** Packages that delete what they are given. */
const REMOVERS = /^(rimraf|del|del-cli|trash|trash-cli|rm-cli)$/;
/** Behind an unknown program, such a word is the start of a command: `strace rm …`, `docker run x sh -c …`. */
const CARRIED = /^(rm|unlink|find|mv|dd|truncate|chmod|chown|chgrp|rsync|(ba|da|z|k|a)?sh)$/;
/** Their words are texts, names or code, and start nothing as a command. */
const SAYS =
  /^(|echo|printf|print|cat|tee|e?grep|fgrep|rg|ag|ack|sed|[gmn]?awk|jq|yq|git|gh|glab|man|which|type|whereis|whatis|apropos|alias|logger|curl|wget|apt|apt-get|dnf|yum|apk|brew|pacman|npm|hookline|xargs|find|gfind|fd|fdfind|rm|test|\[|for|cd|read|export|declare)$/;
/** Every word of these may be a shell line, also behind a word of their own: `expect -c 'spawn rm …'`. */
const TAKES_LINES =
  /^(tmux|screen|ssh|autossh|mosh|expect|make|gmake|parallel|entr|script|adb|vagrant|wsl|spawn)$/;
/** They run the words behind their options, whatever these are. */
const WRAPPERS =
  /^(strace|ltrace|gdb|valgrind|perf|unshare|nsenter|chroot|systemd-run|pkexec|fakeroot|fakechroot|proot|bwrap|firejail|setpriv|cpulimit|ssh|tmux|screen|spawn|npx|bunx)$/;
const CONTAINERS = /^(docker|podman|nerdctl)$/;
/** They pass on some of the names that they get, as they are. */
const FILTERS = /^(e?grep|fgrep|rg|head|tail|sort|uniq|tac|shuf)$/;
/** What asks in awk: a command that is no plain text. */
const AWK_STARTS =
  /\bsystem\s*\((?!\s*"[^"]*"\s*\))|[\w)\]]\s*\|&?\s*getline|[^|]\|&?\s*(?!getline)[A-Za-z_(]/;
/** Code in an argument that may delete files or start programs. */
const DELETES =
  /rmtree|rm(dir)?Sync|unlink|rm_rf?|remove_dir_all|os\.(remove|system|popen|exec)|shutil|subprocess|child_process|\bsystem\b|\bexec\b|`|FileUtils|File\.delete|fs\.(promises\.)?rm|truncate/;
const DATABASES = /^(psql|mysql|mariadb|sqlite3|mongosh?|redis-cli)$/;
const DELETES_DATA =
  /\bdrop\s+(table|database|schema|index|view)|\btruncate\b|\bdelete\s+from\s+\S+\s*["';]*\s*$|flush(all|db)|dropDatabase/i;
/** Others may write: 777, 666, o+w, a+rwx. */
const FOR_EVERYBODY = /^[0-7]*[2367]$|^([ugo]*[ao][ugo]*|)[+=][rxXst]*w/;

await guard((input) => {
  const line = shellLineOf(input);
  if (line === undefined) return undefined;
  if (/(\S+?)\s*\(\s*\)\s*[{(][^}]*\1\s*\|\s*\1\s*&/.test(line)) return deny(`\`${line}\` is a fork bomb.`);
  const { commands: listed, unreadable } = readCommands(line, input.cwd);
  const commands = listed.flatMap((command) => [command, ...carriedBy(command, input.cwd)]);
  const downloads = commands.filter(({ program = '' }) => DOWNLOADS.test(program));
  const saved = downloads.flatMap(filesOf).map((file) => basename(file));
  for (const [at, command] of commands.entries()) {
    const reason =
      refusal(command, input.cwd) ??
      fromInput(commands, at, input.cwd) ??
      inContainer(command, input.cwd) ??
      runsDownload(command, downloads, saved) ??
      (command.isCarried ? undefined : waiting(command));
    if (reason !== undefined)
      return deny(`\`${command.text || line}\` ${reason}. Take a smaller step, or let the user do it.`);
  }
  if (unreadable !== undefined && downloads.length > 0)
    return deny(`\`${line}\` may run what it downloads. Save it, read it, then run the file.`);
  if (unreadable !== undefined) return ask(`What this line runs cannot be determined: ${unreadable}.`);
  const question = commands.map((command) => doubt(command, input.cwd)).find((each) => each !== undefined);
  return question === undefined ? undefined : ask(question);
});

/** Why a command is refused; undefined if it is not. */
function refusal(command, cwd, toHost = (word) => word) {
  const { program = '', args, operands, writes, folders, has } = command;
  const reach = (words) =>
    words
      .map((word) => toHost(word))
      .map((word) => (word === undefined ? 'inside' : reachOf(word, folders, cwd)));
  const isWide = (words) => reach(words).some((each) => /project|around|outside/.test(each));

  if (NEVER.test(program)) return 'destroys data or stops the machine';
  if (/^(init|telinit)$/.test(program) && /^[06]$/.test(args[0])) return 'stops the machine';
  if (program === 'systemctl' && /\b(poweroff|reboot|halt)\b/.test(args.join(' ')))
    return 'stops the machine';
  if (program === 'kill' && args.length > 1 && args.at(-1) === '-1') return 'ends every process';
  if (program === 'crontab' && has('-r')) return 'removes all scheduled jobs';

  const written = [
    ...writes,
    ...(/^(cp|mv|tee|install|ln)$/.test(program) ? operands : []),
    ...valuesOf(args, 'of='),
  ];
  if (written.some((file) => DEVICE.test(resolve('/', file)))) return 'writes to a device';

  if (program === 'rm') {
    const isDeep = has('-r', '-R', '--recursive');
    if (has('--no-preserve-root')) return 'may delete the whole system';
    if ((isDeep || operands.some((word) => /[*?]/.test(word))) && isWide(operands)) return 'deletes too much';
  }
  if (program === 'mv' && (operands.at(-1) === '/dev/null' || isWide(operands.slice(0, -1))))
    return 'moves too much away';
  if (/^g?find$/.test(program) && isDeletingFind(args) && isWideFind(args, reach)) return 'deletes too much';
  if (/^fd(find)?$/.test(program) && isDeletingFd(args) && isWideFd(args, reach)) return 'deletes too much';
  if (REMOVERS.test(program) && isWide(operands)) return 'deletes too much';
  if (/^(g|bsd)?tar$/.test(program) && has('--remove-files') && isWide(operands))
    return 'deletes what it packs';
  if (program === 'rsync' && has('--delete', '--del') && isWide(operands.slice(-1)))
    return 'deletes what the source does not have';
  if (
    program === 'git' &&
    args.includes('clean') &&
    !has('-n', '--dry-run') &&
    (has('-f', '--force') || /requireforce/i.test(args.join(' ')))
  )
    return 'deletes for good what git does not know';
  if (program === 'git' && args.includes('rm') && has('-r') && isWide(operands.slice(1)))
    return 'deletes too much';
  if (/^(chmod|chown|chgrp|setfacl)$/.test(program) && has('-R', '--recursive')) {
    if (program === 'chmod' && operands.some((mode) => FOR_EVERYBODY.test(mode)))
      return 'lets everybody change files';
    if (reach(operands.slice(1)).some((each) => /around|outside/.test(each))) return 'changes too much';
  }
  return undefined;
}

function isDeletingFind(args) {
  const runs = new RegExp(String.raw`-(exec|ok)(dir)? (\S*sh -\w*c .*\b)?${DELETING}`, 's');
  return args.includes('-delete') || runs.test(args.join(' '));
}

function isDeletingFd(args) {
  return new RegExp(`(^| )(-[a-zA-Z]*[xX]|--exec(-batch)?)[ =]?${DELETING}`).test(args.join(' '));
}

/** The folders of `find` come before its first condition. Conditions on names and times make it narrow. */
function isWideFind(args, reach) {
  const first = args.findIndex((arg) => /^[-(!]/.test(arg));
  const start = first < 0 ? args : args.slice(0, first);
  const isNarrow = args.some(
    (arg, at) =>
      /^-i?(name|path|regex|empty|newer|[acm](time|min)|size)$/.test(arg) &&
      !/^(!|-not)$/.test(args[at - 1]) &&
      !/^[*?./]+$/.test(args[at + 1]),
  );
  const wide = isNarrow ? /around|outside/ : /project|around|outside/;
  return reach(start.length > 0 ? start : ['.']).some((each) => wide.test(each));
}

/** `fd pattern folder…`: an ending, a pattern or a time makes it narrow. */
function isWideFd(args, reach) {
  const end = args.findIndex((arg) => /^(-[a-zA-Z]*[xX]|--exec)/.test(arg));
  const own = end < 0 ? args : args.slice(0, end);
  const [pattern = '.', ...folders] = own.filter(
    (arg, at) => !arg.startsWith('-') && !/^-[etdESoc]$/.test(own[at - 1]),
  );
  const isNarrow =
    !/^[\^$.*?+]*$/.test(pattern) || own.some((arg) => /^(-e|--ext|--changed|--size|-S)/.test(arg));
  const wide = isNarrow ? /around|outside/ : /project|around|outside/;
  return reach(folders.length > 0 ? folders : ['.']).some((each) => wide.test(each));
}

/** `… | xargs rm`: what is deleted comes from the input, so the command that prints the names decides. */
function fromInput(commands, at, cwd) {
  const { program, unknown, operands, has } = commands[at];
  const isFed = unknown && (operands.length === 0 || operands.some((word) => /\{[./]*\}/.test(word)));
  if (program !== 'rm' || !isFed) return undefined;
  const before = commands.slice(0, at);
  const carrier = before.at(-1);
  if (/^(g?find|fd|fdfind)$/.test(carrier?.program)) return undefined;
  const start = before.findLastIndex(({ piped }) => !piped);
  const { program: lister, args = [], folders } = before[start] ?? {};
  const areKept = before.slice(start + 1, -1).every((each) => FILTERS.test(each.program ?? ''));
  const reach = (words) => words.map((word) => reachOf(word, folders, cwd));
  const isPiped = carrier?.piped === true && areKept;
  if (isPiped && /^g?find$/.test(lister)) return isWideFind(args, reach) ? 'deletes too much' : undefined;
  if (isPiped && /^fd(find)?$/.test(lister)) return isWideFd(args, reach) ? 'deletes too much' : undefined;
  return has('-r', '-R', '-f', '--recursive', '--force') || !carrier?.piped
    ? 'deletes what its input names: name the files in the line'
    : undefined;
}

/** The commands that a program without a known form runs, as far as its words show them. Never throws. */
function carriedBy(command, cwd, depth = 0) {
  const { program, args, folders } = command;
  if (program === undefined || depth > 3) return [];
  const isFed = program === 'parallel';
  const mark = (each) => ({ ...each, isCarried: true, unknown: each.unknown || isFed });
  // A text such as `$(pwd)/a b` is no line.
  const isNamed = (each) => each.program !== undefined;
  const folder = folders?.[0] ?? cwd;
  const read = (text) => readCommands(text, folder).commands.filter(isNamed).map(mark);
  if (/^[gmn]?awk$/.test(program))
    return args.flatMap((arg) => [...arg.matchAll(/"((?:[^"\\]|\\.)*)"/g)].flatMap(([, text]) => read(text)));
  if (/^g?sed$/.test(program))
    return args.flatMap((arg) =>
      [...arg.matchAll(/(?:^|[\s;{}!\d$/])e\s+(.+)/g)].flatMap(([, text]) => read(text)),
    );
  if (SAYS.test(program) || CONTAINERS.test(program) || INTERPRETERS.test(program)) return [];
  if (SHELLS.test(program)) return [];
  const isCarried = (arg) =>
    (WRAPPERS.test(program) && (NEVER.test(basename(arg)) || arg === 'git')) ||
    CARRIED.test(basename(arg)) ||
    REMOVERS.test(basename(arg).replace(/@.*$/, ''));
  const first = args.findIndex(isCarried);
  const name = REMOVERS.exec(basename(args[first] ?? '').replace(/@.*$/, ''))?.[0];
  const words = first < 0 ? [] : [name ?? args[first], ...args.slice(first + 1)];
  const texts = args.filter((arg, at) => /\s/.test(arg) && (first < 0 || at < first)).flatMap(read);
  const deeper = TAKES_LINES.test(program) ? texts.flatMap((each) => carriedBy(each, cwd, depth + 1)) : [];
  return [...(words.length > 0 ? read(words.map(quote).join(' ')) : []), ...texts, ...deeper];
}

/** A container deletes on this machine what is mounted into it. */
function inContainer({ program, args, folders }, cwd) {
  if (!CONTAINERS.test(program)) return undefined;
  const here = folders?.[0] ?? cwd;
  const first = args.findIndex((arg) => CARRIED.test(basename(arg)));
  if (first < 0) return undefined;
  const own = args.slice(0, first);
  const value = (pattern) =>
    own.flatMap((arg, at) => {
      const [, attached] = /^--[\w-]+=(.*)$/s.exec(arg) ?? [];
      return pattern.test(arg) ? [attached ?? own[at + 1] ?? ''] : [];
    });
  const mounts = [
    ...value(/^(-v|--volume)(=|$)/).map((text) => text.split(':')),
    ...value(/^--mount(=|$)/).map((text) =>
      [/(?:src|source)=([^,]*)/, /(?:dst|destination|target)=([^,]*)/].map((part) => part.exec(text)?.[1]),
    ),
  ].filter(([from, to]) => /[/.~$]/.test(from ?? '') && to !== undefined);
  const [start = '/'] = value(/^(-w|--workdir)(=|$)/);
  const toHost = (word) => {
    const path = resolve('/', start, word);
    for (const [from, to] of mounts) {
      const source = resolve(here, from.replace(/^\$(PWD\b|\{PWD\}|\(pwd\))/, here));
      if (!relative(to, path).startsWith('..')) return join(source, relative(to, path));
      if (!relative(path.replace(/\/\*$/, '') || '/', to).startsWith('..')) return source;
    }
    return undefined;
  };
  const carried = readCommands(args.slice(first).map(quote).join(' '), '/').commands;
  return carried
    .filter((each) => /^(rm|find|mv)$/.test(each.program))
    .map((each) => refusal({ ...each, folders: ['/'] }, cwd, toHost))
    .find((reason) => reason !== undefined);
}

function quote(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function runsDownload({ program = '', args, operands, piped, text }, downloads, saved) {
  if (downloads.length === 0 || DOWNLOADS.test(program)) return undefined;
  const runs = SHELLS.test(program) || INTERPRETERS.test(program);
  const files = [program, ...(runs || program === 'chmod' ? operands : [])].map((file) => basename(file));
  const isCode = /^\S+(\s+-\S+)*\s+<\(/.test(text) || args.some((arg) => /\$\(|`/.test(arg));
  const isRun = (runs && (piped || isCode)) || files.some((file) => saved.includes(file));
  return isRun ? 'runs what the line downloads: save it, read it, then run it' : undefined;
}

/** What is typed into a program that waits is no shell line, so no guard sees it. Codex has a tool for that without hooks. */
function waiting({ program = '', args, operands, piped, has }) {
  const isShell = SHELLS.test(program) && !/^(source|\.|eval)$/.test(program);
  const waits = () => {
    if (piped) return false;
    if (isShell || /^(python[\d.]*|node|nodejs)$/.test(program))
      if (has('-i', '--interactive') && !has('-c', '-e', '-p')) return true;
    if (isShell || INTERPRETERS.test(program) || CONSOLES.test(program))
      return program === 'php'
        ? args.length === 0 || args.includes('-a')
        : args.every((arg) => STILL_WAITS.test(arg));
    if (program === 'sudo') return has('-i', '-s') && operands.length === 0;
    if (program === 'script') return operands.length < 2 && !has('-c', '--command', '--version');
    if (/^(docker|podman|nerdctl|kubectl|oc)$/.test(program) && /^(exec|run)$/.test(operands[0])) {
      const last = basename(args.at(-1) ?? '');
      return has('-i', '--interactive', '--stdin') && (SHELLS.test(last) || INTERPRETERS.test(last));
    }
    if (/^(psql|mysql|mariadb)$/.test(program))
      return !has(
        '-c',
        '-f',
        '-l',
        '-e',
        '-V',
        '-?',
        '--command',
        '--file',
        '--list',
        '--execute',
        '--version',
        '--help',
      );
    return program === 'sqlite3' && operands.length < 2 && !has('-version', '-help');
  };
  return waits()
    ? 'waits for lines that no guard sees: give it a file or the code, and let it end by itself'
    : undefined;
}

/** The files that a download is saved in. */
function filesOf({ args, writes }) {
  const named = args.filter((_, index) => /^(-[a-zA-Z]*[oO]|--output(-document)?)$/.test(args[index - 1]));
  const urls = args.filter((arg) => /^[a-z]+:\/\/.+\//.test(arg));
  const joined = [
    ...valuesOf(args, '--output='),
    ...valuesOf(args, '--output-document='),
    ...valuesOf(args, '-o'),
  ];
  return [...named, ...joined, ...urls, ...writes].filter((file) => !/^(-|)$/.test(file));
}

/** What a person should look at; undefined if nothing. */
function doubt({ program, args, operands, writes, text, unknown, folders, has }, cwd) {
  if (program === undefined) return `Which program \`${text}\` runs is only known when it runs.`;
  const plain = [program, ...args].join(' ');
  if (program === 'git' && losesChanges(args)) return `\`${text}\` cannot be undone.`;
  if (/^g?make$/.test(program) && /(^| )(-f|--(make)?file)[ =]?(-|\/dev\/\S+)( |$)/.test(args.join(' ')))
    return `What \`${text}\` runs comes from its input.`;
  if (/^[gmn]?awk$/.test(program) && args.some((code) => /[{("]/.test(code) && AWK_STARTS.test(code)))
    return `\`${text}\` starts a program that is only known when it runs.`;
  if (/^g?sed$/.test(program) && args.some((code) => /(^|[\s;{}\d$!/])s(\W).*\2.*\2[gpiIM\d]*e/.test(code)))
    return `\`${text}\` runs the text that it edits.`;
  if (ASK.some((start) => plain === start || plain.startsWith(`${start} `)))
    return `\`${text}\` cannot be undone.`;
  if (/^(rm|unlink)$/.test(program) && operands.some((word) => reachOf(word, folders, cwd) === 'outside'))
    return `\`${text}\` deletes a file outside of the project.`;
  if (program === 'rm' && has('-r', '-R', '--recursive')) {
    const isUnclear = unknown || operands.some((word) => reachOf(word, folders, cwd) === 'unknown');
    if (isUnclear) return `What \`${text}\` deletes is only known when it runs.`;
  }
  if (INTERPRETERS.test(program) && args.some((code) => /\s|\(/.test(code) && DELETES.test(code)))
    return `\`${text}\` runs code that may delete files or start programs.`;
  if (DATABASES.test(program) && DELETES_DATA.test(plain)) return `\`${text}\` deletes data.`;
  const isEmpty = /^(:|true|)$/.test(program) || (program === 'cat' && operands.join() === '/dev/null');
  const emptied = [
    ...(isEmpty ? writes : []),
    ...(program === 'truncate' ? operands : []),
    ...(program === 'cp' && operands[0] === '/dev/null' ? operands.slice(1) : []),
    ...(program === 'dd' && args.includes('if=/dev/null') ? valuesOf(args, 'of=') : []),
  ];
  if (/^(g|bsd)?tar$/.test(program) && has('--remove-files')) return `\`${text}\` deletes what it packs.`;
  const lost = emptied.find((file) => hasContent(resolve(folders?.[0] ?? cwd, file)));
  return lost === undefined ? undefined : `This empties ${lost}.`;
}

/** A call of git that overwrites changes that are in no commit. */
function losesChanges(given) {
  const at = given.findIndex((arg, index) => !arg.startsWith('-') && !/^-[cC]$/.test(given[index - 1]));
  const [name, ...args] = at < 0 ? [] : given.slice(at);
  const has = (pattern) => args.some((arg) => pattern.test(arg));
  const isAll = args.some((arg) => /^(\.\/?|\*|:\/|:|\.\.\/?)$/.test(arg));
  if (name === 'reset') return has(/^--har/);
  if (name === 'checkout') return isAll || has(/^(-[a-zA-Z]*f[a-zA-Z]*|--forc?e?)$/);
  if (name === 'switch') return has(/^(-[a-zA-Z]*f[a-zA-Z]*|--forc?e?|--dis.*)$/);
  if (name === 'restore') return isAll && (!has(/^(-\w*S\w*|--sta.*)$/) || has(/^(-\w*W\w*|--w.*)$/));
  return false;
}

function valuesOf(args, prefix) {
  return args.filter((arg) => arg.startsWith(prefix)).map((arg) => arg.slice(prefix.length));
}

function hasContent(path) {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
