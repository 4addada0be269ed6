// Refuses shell lines that delete or overwrite much, or that run what they download. It reads a line as a shell does:
// `sudo rm`, `sh -c 'rm …'`, `find -exec rm` and `r\m` are all rm. This file is yours: change what it refuses.
import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { ask, deny, guard, reachOf, readCommands, shellLineOf } from 'hookline/guard';

/** Never, whatever their arguments are. */
const NEVER =
  /^(mkfs(\..+)?|mke2fs|mkswap|wipefs|[sc]?fdisk|s?gdisk|parted|blkdiscard|shutdown|reboot|halt|poweroff|shred|srm|userdel|groupdel|[vlp]v?remove|vgremove|zpool)$/;
/** A person decides. Each is the start of a command. */
const ASK = [
  ...[
    'git reset --hard',
    'git checkout .',
    'git checkout -- .',
    'git restore .',
    'git stash clear',
    'git stash drop',
  ],
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
  const { commands, unreadable } = readCommands(line, input.cwd);
  const downloads = commands.filter(({ program = '' }) => DOWNLOADS.test(program));
  const saved = downloads.flatMap(filesOf).map((file) => basename(file));
  for (const command of commands) {
    const reason = refusal(command, input.cwd) ?? runsDownload(command, downloads, saved) ?? waiting(command);
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
function refusal(command, cwd) {
  const { program = '', args, operands, writes, folders, has } = command;
  const reach = (words) => words.map((word) => reachOf(word, folders, cwd));
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
  const isDeleting =
    args.includes('-delete') || /-(exec|ok)(dir)? (\S*\/)?(rm|unlink|shred)\b/.test(args.join(' '));
  if (program === 'find' && isDeleting && isWideFind(args, reach)) return 'deletes too much';
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

/** The folders of `find` come before its first condition. Conditions on names and times make it narrow. */
function isWideFind(args, reach) {
  const first = args.findIndex((arg) => /^[-(!]/.test(arg));
  const start = args.slice(0, first);
  const isNarrow = args.some((arg) => /^-i?(name|path|regex|empty|newer|[acm](time|min)|size)$/.test(arg));
  const wide = isNarrow ? /around|outside/ : /project|around|outside/;
  return reach(start.length > 0 ? start : ['.']).some((each) => wide.test(each));
}

function runsDownload({ program = '', operands, piped }, downloads, saved) {
  if (downloads.length === 0 || DOWNLOADS.test(program)) return undefined;
  const runs = SHELLS.test(program) || INTERPRETERS.test(program);
  const files = [program, ...(runs || program === 'chmod' ? operands : [])].map((file) => basename(file));
  const isRun = (runs && piped) || files.some((file) => saved.includes(file));
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
  const lost = emptied.find((file) => hasContent(resolve(folders?.[0] ?? cwd, file)));
  return lost === undefined ? undefined : `This empties ${lost}.`;
}

function valuesOf(args, prefix) {
  return args.filter((arg) => arg.startsWith(prefix)).map((arg) => arg.slice(prefix.length));
}

function hasContent(path) {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
