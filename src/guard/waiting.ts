/** Programs that wait for lines to be typed into them: shells, interpreters, consoles of databases and frameworks. */
import { basename } from 'node:path';
import type { ReadCommand } from './commands.js';

const SHELLS = /^(?:ba|da|z|k|a|mk|rb|fi|t?c)?sh$/;
const INTERPRETERS =
  /^(?:python[\d.]*|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|php|lua|osascript|Rscript)$/;
const CONSOLES =
  /^(?:irb|pry|ipython3?|bpython|ghci|iex|erl|jshell|julia|R|screen|expect|su|newgrp|pwsh|powershell|nix-shell)$/;
/** Options that leave a shell or an interpreter waiting. */
const STILL_WAITS =
  /^(?:-|-[ilsuqBEIxefrW]+|--(?:login|norc|noprofile|posix|interactive|restricted|no-?rcs|inspect(?:-brk)?|rcfile=.*|init-file=.*))$/;
const CLIENT_ENDS = [
  ...['-c', '-f', '-l', '-e', '-V', '-?'],
  ...['--command', '--file', '--list', '--execute'],
];
/** The consoles of programs that do other things too. */
const CONSOLE_CALLS = [
  ...['poetry shell', 'pipenv shell', 'hatch shell', 'pixi shell', 'deno repl', 'bun repl', 'tmux new'],
  ...['rails console', 'rails c', 'rails dbconsole', 'django-admin shell', 'php artisan tinker'],
  ...['python', 'python3'].flatMap((name) => [`${name} manage.py shell`, `${name} manage.py dbshell`]),
  ...['npx tsx', 'npx ts-node', 'bunx tsx'],
];

const isProgram = (word = ''): boolean => SHELLS.test(basename(word)) || INTERPRETERS.test(basename(word));

/**
 * Whether a command waits for lines that someone types, and that no hook sees: `bash`, `docker exec -it web sh`, `psql`.
 * Never throws.
 */
export function waitsForLines(command: ReadCommand): boolean {
  const { program = '', args, operands, piped, has } = command;
  if (piped || command.given.length > 0) return false;
  if (isConsoleCall(command)) return true;
  if (program === 'screen' && args.some((arg) => /^-(?:ls|list|v|wipe)$/.test(arg))) return false;
  const isShell = SHELLS.test(program);
  if (isShell || /^(?:python[\d.]*|node|nodejs)$/.test(program))
    if (has('-i', '--interactive') && !has('-c', '-e', '-p')) return true;
  if (isShell || INTERPRETERS.test(program) || CONSOLES.test(program))
    return program === 'php'
      ? args.length === 0 || args.includes('-a')
      : args.every((arg) => STILL_WAITS.test(arg));
  if (program === 'sudo') {
    const isUser = (word: string) => args[args.indexOf(word) - 1] === '-u';
    return has('-i', '-s') && operands.every(isUser);
  }
  if (program === 'script') return operands.length < 2 && !has('-c', '--command', '--version');
  if (/^(?:docker|docker-compose|podman|nerdctl|kubectl|oc)$/.test(program)) return waitsInContainer(command);
  if (program === 'nsenter') return isProgram(args.at(-1));
  if (/^(?:chroot|unshare|fakeroot)$/.test(program)) {
    const own = program === 'chroot' ? operands.slice(1) : operands;
    return !has('--version', '--help') && (own.length === 0 || (own.length === 1 && isProgram(own[0])));
  }
  if (program === 'nix') return operands[0] === 'develop' && !has('-c', '--command');
  if (program === 'tmux') return args.length === 0;
  if (/^(?:psql|mysql|mariadb)$/.test(program)) return !has(...CLIENT_ENDS, '--version', '--help');
  if (/^(?:mongosh|redis-cli)$/.test(program)) return args.length === 0;
  return program === 'sqlite3' && operands.length < 2 && !has('-version', '-help');
}

function isConsoleCall(command: ReadCommand): boolean {
  const { operands, has } = command;
  return CONSOLE_CALLS.some(
    (words) =>
      command.isCall(words) && operands.length === words.split(' ').length - 1 && !has('-d', '-h', '--help'),
  );
}

/** With `compose exec` a terminal is the default. */
function waitsInContainer({ program, args, operands, has }: ReadCommand): boolean {
  const isCompose = program === 'docker-compose' || operands[0] === 'compose';
  if (!operands.slice(0, 2).some((word) => /^(?:exec|run)$/.test(word)) || !isProgram(args.at(-1)))
    return false;
  return has('-i', '--interactive', '--stdin') || (isCompose && !has('-T', '--no-TTY', '-d'));
}
