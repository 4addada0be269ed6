// Refuses shell lines that delete or overwrite much, or that run what they download. It reads a line as a shell does:
// `sudo rm`, `sh -c 'rm …'`, `find -exec rm` and `r\m` are all rm. This file is yours: change what it refuses.
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import {
  ask,
  codeIn,
  deletesFound,
  deny,
  findsMuch,
  guard,
  reachOf,
  readCommands,
  shellLineOf,
  waitsForLines,
} from 'hookline/guard';

/** Never, whatever their arguments are. */
const NEVER =
  /^(mkfs(\..+)?|mke2fs|mkswap|wipefs|[sc]?fdisk|s?gdisk|parted|blkdiscard|shutdown|reboot|halt|poweroff|shred|srm|userdel|groupdel|[vlp]v?remove|vgremove|zpool|killall5|deluser)$/;
/** Each is the start of a command; options may stand between the words. */
const NEVER_CALLS = [
  ...['cryptsetup luksErase', 'cryptsetup luksFormat', 'cryptsetup erase', 'hdparm --security-erase'],
  ...['nvme format', 'nvme sanitize', 'badblocks -w', 'mdadm --zero-superblock', 'zfs destroy'],
  ...['btrfs subvolume delete', 'diskutil eraseDisk', 'diskutil eraseVolume', 'diskutil secureErase'],
  ...['loginctl poweroff', 'loginctl reboot', 'launchctl reboot', 'systemctl isolate'],
];
/** The same, where a person decides. */
const ASK = [
  ...['git stash clear', 'git stash drop', 'git checkout-index -f', 'git read-tree --reset'],
  ...['git worktree remove --force', 'git worktree remove -f'],
  ...['docker system prune', 'docker volume rm', 'docker volume prune', 'docker compose down -v'],
  ...['docker compose down --volumes', 'docker-compose down -v', 'docker-compose down --volumes'],
  ...['kubectl delete', 'kubectl drain', 'oc delete', 'helm uninstall', 'helm delete'],
  ...['terraform', 'tofu', 'terragrunt'].flatMap((name) => [
    ...[`${name} destroy`, `${name} apply -destroy`, `${name} state rm`, `${name} run-all destroy`],
  ]),
  ...[
    'pulumi destroy',
    'cdk destroy',
    'serverless remove',
    'sls remove',
    'vagrant destroy',
    'multipass delete',
  ],
  ...[
    'aws s3 rb',
    'aws s3 rm',
    'aws s3 sync --delete',
    'gsutil rm',
    'rclone purge',
    'rclone delete',
    'rclone sync',
  ],
  ...['heroku pg:reset', 'heroku apps:destroy', 'fly apps destroy', 'vercel rm', 'vercel remove'],
  ...['virsh undefine', 'firebase firestore:delete', 'supabase db reset'],
  ...['npm', 'pnpm', 'yarn'].flatMap((name) => [`${name} unpublish`, `${name} npm unpublish`]),
  ...[
    'cargo yank',
    'gem yank',
    'gh repo delete',
    'gh release delete',
    'gh api -X DELETE',
    'gh api --method DELETE',
  ],
  ...[
    'glab repo delete',
    'dropdb',
    'mysqladmin drop',
    'prisma migrate reset',
    'prisma db push --force-reset',
  ],
  ...['rails', 'rake', 'sequelize'].flatMap((name) => [`${name} db:drop`, `${name} db:reset`]),
  ...[
    'php artisan migrate:fresh',
    'php artisan db:wipe',
    'python manage.py flush',
    'python3 manage.py flush',
    'alembic downgrade base',
  ],
];
/** Clients of clouds, and the words with which they delete. */
const CLOUDS = /^(aws|gcloud|az|doctl|oci|ibmcloud|linode-cli|hcloud|flyctl|fly)$/;
const CLOUD_DELETES = /^(delete|destroy|terminate|purge|remove)(-|$)/;
const DEVICE =
  /^\/proc\/sysrq-trigger$|^\/dev\/(?!(null|zero|full|stdin|stdout|stderr|tty|u?random|(shm|fd|pts)\/.*)$)/;
const DOWNLOADS = /^(curl|wget|fetch|aria2c|https?|xh)$/;
const SHELLS = /^((ba|da|z|k|a|mk|rb|fi|t?c)?sh|source|\.|eval)$/;
const INTERPRETERS = /^(python[\d.]*|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|php|lua|osascript|Rscript)$/;
/** Packages that delete what they are given. */
const REMOVERS = /^(rimraf|del|del-cli|trash|trash-cli|rm-cli)$/;
/** Behind an unknown program, such a word is the start of a command: `strace rm …`, `docker run x sh -c …`. */
const CARRIED = /^(rm|unlink|find|mv|dd|truncate|chmod|chown|chgrp|rsync|(ba|da|z|k|a)?sh)$/;
const CONTAINERS = /^(docker|podman|nerdctl)$/;
/** They pass on some of the names that they get, as they are. */
const FILTERS = /^(e?grep|fgrep|rg|head|tail|sort|uniq|tac|shuf)$/;
/** What asks in awk: a command that is no plain text. */
const AWK_STARTS =
  /\bsystem\s*\((?!\s*"[^"]*"\s*\))|[\w)\]]\s*\|&?\s*getline|[^|]\|&?\s*(?!getline)[A-Za-z_(]/;
/** Code in an argument that may delete files or start programs. */
const DELETES =
  /`.+`|\beval\b.*\b(stdin|input)\b|\b(stdin|input)\b.*\beval\b|rm_?tree|remove_tree|\brm\(|rm(dir)?Sync|removeSync|delete-directory|Deno\.remove|\beval\b.*\bhttps?:|\bhttps?:.*\beval\b|os\.execute|do shell script|shut down|Remove-Item|Invoke-Expression|\biex\b|unlink|rm_rf?|remove_dir_all|os\.(remove|system|popen|exec)|shutil|subprocess|child_process|\bsystem\b|\bexec\b|FileUtils|File\.delete|fs\.(promises\.)?rm|truncate/s;
const DATABASES = /^(psql|mysql|mariadb|sqlite3|mongosh?|redis-cli)$/;
const DELETES_DATA =
  /\bdrop\s+(table|database|schema|index|view|owned|column|user|role)|\btruncate\b|\bdelete\s+from\s+[\w."`]+\s*["';]*\s*$|flush(all|db)|dropDatabase|\.drop\s*\(|deleteMany\s*\(\s*(\{\s*\})?\s*\)/im;
/** What is typed into a program that waits is no shell line, so no guard sees it. */
const WAITS = 'waits for lines that no guard sees: give it a file or the code, and let it end by itself';
/** Others may write: 777, 666, o+w, a+rwx. */
const FOR_EVERYBODY = /^[0-7]*[2367]$|^([ugo]*[ao][ugo]*|)[+=][rxXst]*w/;

await guard((input) => {
  const line = shellLineOf(input);
  if (line === undefined) return undefined;
  if (/([^\s;&|]+?)\s*\(\s*\)\s*[{(][^}]*(?<![\w.-])\1\s*(\|\s*\1\s*&|&\s*\1\b|&(?!&))/.test(line))
    return deny(`\`${line}\` is a fork bomb.`);
  const { commands: listed, unreadable } = readCommands(line, input.cwd);
  // What a container deletes is its own, except what is mounted: see inContainer.
  const commands = listed.filter(({ behind }) => behind !== 'container');
  const downloads = commands.filter(({ program = '' }) => DOWNLOADS.test(program));
  const tees =
    downloads.length > 0 ? commands.filter(({ program, piped }) => program === 'tee' && piped) : [];
  const saved = [...downloads.flatMap(filesOf), ...tees.flatMap(({ operands }) => operands)].map((file) =>
    basename(file),
  );
  for (const [at, command] of commands.entries()) {
    const reason =
      refusal(command, input.cwd) ??
      fromInput(commands, at, input.cwd) ??
      inContainer(command, input.cwd) ??
      runsDownload(command, downloads, saved) ??
      (command.behind === undefined && waitsForLines(command) ? WAITS : undefined);
    if (reason !== undefined)
      return deny(`\`${command.text || line}\` ${reason}. Take a smaller step, or let the user do it.`);
  }
  if (unreadable !== undefined && downloads.length > 0)
    return deny(`\`${line}\` may run what it downloads. Save it, read it, then run the file.`);
  if (unreadable !== undefined) return ask(`What this line runs cannot be determined: ${unreadable}.`);
  for (const [at, command] of commands.entries())
    command.isNarrowed = command.program === 'rm' && isNamedByFind(commands[at - 1]);
  const question = commands
    .map((command) => doubt(command, input.cwd, line))
    .find((each) => each !== undefined);
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

  if (NEVER.test(program) || NEVER_CALLS.some((words) => command.isCall(words)))
    return 'destroys data or stops the machine';
  if (/^(init|telinit)$/.test(program) && /^[06]$/.test(args[0])) return 'stops the machine';
  if (program === 'systemctl' && /\b(poweroff|reboot|halt)\b/.test(args.join(' ')))
    return 'stops the machine';
  if (program === 'kill' && args.length > 1 && args.at(-1) === '-1') return 'ends every process';
  if (
    /^(pkill|killall)$/.test(program) &&
    /^([.^$*]+|)$/.test(operands.at(-1) ?? '') === true &&
    args.length > 0
  )
    return 'ends every process';
  if (/^(pkill|killall)$/.test(program) && has('-u', '--user', '--euid') && operands.length < 2)
    return 'ends every process';
  if (program === 'crontab' && has('-r')) return 'removes all scheduled jobs';
  if (/^(nc|ncat|netcat|nc\..*)$/.test(program) && has('-e', '-c', '--exec', '--sh-exec'))
    return 'gives a shell to the network';
  if (program === 'socat' && /\b(exec|system):/i.test(args.join(' '))) return 'gives a shell to the network';

  const written = [
    ...writes,
    ...(/^(cp|mv|tee|install|ln)$/.test(program) ? operands : []),
    ...valuesOf(args, 'of='),
    ...(/^g?sed$/.test(program) ? args.flatMap((arg) => /\bw\s+(\/dev\/\S+)/.exec(arg)?.[1] ?? []) : []),
  ];
  if (written.some((file) => DEVICE.test(resolve('/', file)))) return 'writes to a device';

  if (program === 'rm') {
    const isDeep = has('-r', '-R', '--recursive');
    if (has('--no-preserve-root')) return 'may delete the whole system';
    if ((isDeep || operands.some((word) => /[*?]/.test(word))) && isWide(operands)) return 'deletes too much';
  }
  if (program === 'mv' && (operands.at(-1) === '/dev/null' || isWide(operands.slice(0, -1))))
    return 'moves too much away';
  if (deletesFound(program, args) && findsMuch(program, args, reach)) return 'deletes too much';
  if ((program === 'unlink' || REMOVERS.test(program)) && isWide(operands)) return 'deletes too much';
  if (/^(g|bsd)?tar$/.test(program) && has('--remove-files') && isWide(operands))
    return 'deletes what it packs';
  if (program === 'rsync' && args.some((arg) => /^--del/.test(arg)) && isWide(operands.slice(-1)))
    return 'deletes what the source does not have';
  if (
    program === 'git' &&
    args.includes('clean') &&
    !has('-n', '--dry-run') &&
    (has('-f', '--force', '-i', '--interactive') || /requireforce/i.test(args.join(' ')))
  )
    return 'deletes for good what git does not know';
  if (program === 'git' && args.includes('rm') && has('-r') && isWide(operands.slice(1)))
    return 'deletes too much';
  if (/^(chmod|chown|chgrp|setfacl)$/.test(program)) {
    const modes = program === 'chmod' ? args.flatMap((arg) => arg.split(',')) : [];
    const opens = modes.some((mode) => FOR_EVERYBODY.test(mode)) || /\bo(ther)?:+r?w/.test(args.join(' '));
    const isDeep = has('-R', '--recursive') || args.some((arg) => /[{}]/.test(arg));
    if (isDeep && opens && !/^chown|chgrp$/.test(program)) return 'lets everybody change files';
    // `chmod -x` and `--reference=file` are modes too.
    const isMode = args.some((arg) => /^(-[rwxXst]+|--reference=.*)$/.test(arg)) || program === 'setfacl';
    if (
      has('-R', '--recursive') &&
      reach(operands.slice(isMode ? 0 : 1)).some((each) => /around|outside/.test(each))
    )
      return 'changes too much';
  }
  return undefined;
}

/** `find . -name build -exec rm -r {} +`: which files these are is in the line. A wide one was refused before. */
function isNamedByFind({ program, args = [] } = {}) {
  return (
    /^g?find$/.test(program) &&
    args.some((arg) => /^-i?(name|path)$/.test(arg)) &&
    deletesFound(program, args)
  );
}

/** `… | xargs rm`: what is deleted comes from the input, so the command that prints the names decides. */
function fromInput(commands, at, cwd) {
  const { program, unknown, operands, has } = commands[at];
  const isRead = commands.slice(0, at).some((each) => each.program === 'read');
  const isName = (word) => /\{[./]*\}/.test(word) || (isRead && /^\$\{?\w+\}?$/.test(word));
  const isFed = unknown && (operands.length === 0 || operands.some(isName));
  if (program !== 'rm' || !isFed) return undefined;
  const before = commands.slice(0, at).filter((each) => each.program !== 'read');
  const carrier = before.at(-1);
  if (/^(g?find|fd|fdfind)$/.test(carrier?.program)) return undefined;
  const start = before.findLastIndex(({ piped }) => !piped);
  const { program: lister, args = [], folders } = before[start] ?? {};
  const areKept = before.slice(start + 1, -1).every((each) => FILTERS.test(each.program ?? ''));
  const reach = (words) => words.map((word) => reachOf(word, folders, cwd));
  const isPiped = carrier?.piped === true && areKept;
  if (isPiped && /^(g?find|fd(find)?)$/.test(lister))
    return findsMuch(lister, args, reach) ? 'deletes too much' : undefined;
  return has('-r', '-R', '-f', '--recursive', '--force') || !carrier?.piped
    ? 'deletes what its input names: name the files in the line'
    : undefined;
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
      const source = resolve(
        here,
        from.replace(/^\$(PWD\b|\{PWD\}|\(pwd\))/, here).replace(/^~(?=\/|$)/, homedir()),
      );
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
  if (INTERPRETERS.test(program) || /^(bunx|npx)$/.test(program)) {
    const [first] = operands.filter((word) => word !== 'run');
    if (/^https?:/.test(first ?? '')) return 'runs what it downloads: save it, read it, then run it';
  }
  if (downloads.length === 0 || DOWNLOADS.test(program)) return undefined;
  const runs = SHELLS.test(program) || INTERPRETERS.test(program) || /^(pwsh|powershell)$/.test(program);
  const files = [program, ...(runs || program === 'chmod' ? operands : [])].map((file) => basename(file));
  const isCode = /^\S+(\s+-\S+)*\s+<\(/.test(text) || args.some((arg) => /\$\(|`/.test(arg));
  // With `-c`, `-e` and `-m` what comes from the pipe is data, also for what the code does with it: see DELETES.
  const isData = INTERPRETERS.test(program) && args.some((arg) => /^-(\w*[cemp]|-eval|-print)$/.test(arg));
  const isRun = (runs && ((piped && !isData) || isCode)) || files.some((file) => saved.includes(file));
  return isRun ? 'runs what the line downloads: save it, read it, then run it' : undefined;
}

/** The files that a download is saved in. */
function filesOf({ args, writes }) {
  const named = args.filter((_, index) => /^(-[a-zA-Z]*[oO]|--output(-document)?)$/.test(args[index - 1]));
  const urls = args.filter((arg) => !arg.startsWith('-') && /^([a-z]+:\/\/)?[^/]+\/./.test(arg));
  const joined = [
    ...valuesOf(args, '--output='),
    ...valuesOf(args, '--output-document='),
    ...valuesOf(args, '-o'),
  ];
  return [...named, ...joined, ...urls, ...writes].filter((file) => !/^(-|)$/.test(file));
}

/** What a person should look at; undefined if nothing. */
function doubt(command, cwd, line) {
  const { program, args, operands, reads, writes, text, unknown, folders, has, given, piped } = command;
  if (program === undefined) return `Which program \`${text}\` runs is only known when it runs.`;
  const plain = [program, ...args, ...given].join(' ');
  if (program === 'git' && losesChanges(args)) return `\`${text}\` cannot be undone.`;
  if (/^g?make$/.test(program) && /(^| )(-f|--(make)?file)[ =]?(-|\/dev\/\S+)( |$)/.test(args.join(' ')))
    return `What \`${text}\` runs comes from its input.`;
  if (
    /^[gmn]?awk$/.test(program) &&
    args.some(
      (code) =>
        /[{("]/.test(code) && (AWK_STARTS.test(code) || /\|\s*"\s*(\S*\/)?(ba|da|z|k)?sh\b/.test(code)),
    )
  )
    return `\`${text}\` starts a program that is only known when it runs.`;
  if (
    /^g?sed$/.test(program) &&
    args.some((code) => /(^|[\s;{}\d$!/])s(\W).*\2.*\2[gpiIM\d]*e|[;}]\s*e\s*$/.test(code))
  )
    return `\`${text}\` runs the text that it edits.`;
  const isAsked = ASK.some((words) => command.isCall(words) || command.isCall(`npx ${words}`));
  if (isAsked || (CLOUDS.test(program) && operands.some((word) => CLOUD_DELETES.test(word))))
    return `\`${text}\` cannot be undone.`;
  if (program === 'crontab' && !has('-l')) return `\`${text}\` replaces the scheduled jobs.`;
  if (/^(rm|unlink)$/.test(program) && operands.some((word) => reachOf(word, folders, cwd) === 'outside'))
    return `\`${text}\` deletes a file outside of the project.`;
  // Such a word may be several, and options.
  if (program === 'rm' && args.some((arg) => /\$[@*]|\[[@*]\]\}/.test(arg)))
    return `What \`${text}\` deletes is only known when it runs.`;
  if (program === 'rm' && has('-r', '-R', '--recursive') && command.isNarrowed !== true) {
    const isUnclear = unknown || operands.some((word) => reachOf(word, folders, cwd) === 'unknown');
    if (isUnclear) return `What \`${text}\` deletes is only known when it runs.`;
  }
  if (codeIn(command, line).some((code) => DELETES.test(code)))
    return `\`${text}\` runs code that may delete files or start programs.`;
  const statements = DATABASES.test(program) ? [plain, ...args, ...given, ...(piped ? [line] : [])] : [];
  if (statements.some((statement) => DELETES_DATA.test(statement))) return `\`${text}\` deletes data.`;
  const fromNothing = reads.includes('/dev/null') || operands[0] === '/dev/null';
  const isEmpty =
    /^(:|true|)$/.test(program) ||
    (/^(cat|tee|sponge)$/.test(program) && fromNothing) ||
    (program === 'echo' && has('-n') && operands.join('') === '') ||
    (program === 'printf' && args.length === 1 && args[0] === '') ||
    (program === 'head' && /^-[cn] ?0$/.test(args.join(' ')));
  const emptied = [
    ...(isEmpty ? writes : []),
    ...(program === 'truncate' ? operands : []),
    ...(/^(cp|install|ln)$/.test(program) && operands[0] === '/dev/null' ? operands.slice(1) : []),
    ...(/^(tee|sponge)$/.test(program) && reads.includes('/dev/null') ? operands : []),
    ...(/^g?sed$/.test(program) && has('-i', '--in-place') && /^(1,\$)?d$/.test(operands[0])
      ? operands.slice(1)
      : []),
    ...(program === 'dd' && args.includes('if=/dev/null') ? valuesOf(args, 'of=') : []),
  ];
  if (/^(g|bsd)?tar$/.test(program) && has('--remove-files')) return `\`${text}\` deletes what it packs.`;
  const lost = emptied.find((file) => /[*?[]/.test(file) || hasContent(resolve(folders?.[0] ?? cwd, file)));
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
