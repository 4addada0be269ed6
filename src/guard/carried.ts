/** Commands behind programs that run others and whose options are not known: `strace rm …`, `uv run git …`. */
import { basename } from 'node:path';

/** A command that another one carries, still as a line. */
export interface CarriedLine {
  readonly line: string;
  /** Undefined: the program only starts it, as `uv run` does, so it is as if it stood alone. */
  readonly behind: 'program' | 'container' | undefined;
  /** The program adds words to it. */
  readonly fed: boolean;
}

/** Behind an unknown program, such a word is the start of a command. */
const STARTS = /^(?:rm|unlink|find|mv|dd|truncate|chmod|chown|chgrp|rsync|(?:ba|da|z|k|a)?sh)$/;
/** The same, behind programs that run the words behind their options, whatever these are. */
const WRAPPED =
  /^(?:git|hub|curl|wget|nc|ncat|tee|cp|ln|sed|perl|python[\d.]*|node|ruby|mkfs(?:\..+)?|shutdown|reboot|halt|poweroff|shred|wipefs|cat|hookline)$/;
const WRAPPERS =
  /^(?:strace|ltrace|gdb|valgrind|perf|unshare|nsenter|chroot|systemd-run|pkexec|fakeroot|fakechroot|proot|bwrap|firejail|setpriv|cpulimit|ssh|autossh|tmux|screen|spawn|proxychains4?|torsocks|entr|parallel|watchexec|nodemon|concurrently|hyperfine|dotenv|cross-env|direnv|npx|bunx)$/;
/** Programs with a command of their own that runs the words behind it. */
const RUNNERS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    ['uv', 'poetry', 'pipenv', 'pdm', 'hatch', 'rye', 'pixi'].map((name) => [name, /^run$/]),
  ),
  ...Object.fromEntries(['op', 'doppler', 'dotenvx', 'infisical'].map((name) => [name, /^run$/])),
  bundle: /^exec$/,
  mise: /^(?:exec|x)$/,
  asdf: /^exec$/,
  conda: /^run$/,
  'aws-vault': /^exec$/,
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
  bun: /^x$/,
};
/** What follows stands in a container, behind its name. */
const CONTAINERS = /^(?:docker(?:-compose)?|podman|nerdctl|kubectl|oc)$/;
/** Packages that delete what they are given. */
const REMOVERS = /^(rimraf|del|del-cli|trash|trash-cli|rm-cli)(?:@.*)?$/;
/** Their words are texts, names or code, and start nothing as a command. */
const SAYS =
  /^(?:|echo|printf|print|cat|tee|e?grep|fgrep|rg|ag|ack|sed|[gmn]?awk|jq|yq|git|gh|glab|man|which|type|whereis|whatis|apropos|alias|logger|curl|wget|apt|apt-get|dnf|yum|apk|brew|pacman|npm|pnpm|yarn|hookline|xargs|find|gfind|fd|fdfind|rm|test|\[|for|cd|read|export|declare|source|\.|eval|(?:ba|da|z|k|a|mk|rb|fi|t?c)?sh)$/;
/** Every word of these may be a shell line, also behind a word of their own: `expect -c 'spawn rm …'`. */
const TAKES_LINES =
  /^(?:tmux|screen|ssh|autossh|mosh|expect|make|gmake|parallel|entr|script|adb|vagrant|wsl|spawn|concurrently|hyperfine)$/;
const INTERPRETERS =
  /^(?:python[\d.]*|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|php|lua|osascript|Rscript)$/;

/** The lines that a command carries, as far as its words show them. Contract: pure, never throws. */
export function carriedLines(program: string | undefined, args: readonly string[]): readonly CarriedLine[] {
  if (program === undefined) return [];
  const fed = program === 'parallel';
  const carried = (line: string): CarriedLine => ({ line, behind: 'program', fed });
  if (/^[gmn]?awk$/.test(program))
    return args.flatMap((arg) =>
      [...arg.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => carried(text)),
    );
  if (/^g?sed$/.test(program))
    return args.flatMap((arg) =>
      [...arg.matchAll(/(?:^|[\s;{}!\d$/])e\s+(.+)/g)].map(([, text = '']) => carried(text)),
    );
  const run = startedBy(program, args);
  if (run.length > 0) return run;
  if (SAYS.test(program) || INTERPRETERS.test(program) || CONTAINERS.test(program)) return [];
  const first = args.findIndex((arg) => isStart(program, arg));
  const name = REMOVERS.exec(basename(args[first] ?? ''))?.[1];
  const words = first < 0 ? [] : [name ?? args[first] ?? '', ...args.slice(first + 1)];
  const texts = args
    .filter((arg, at) => /\s/.test(arg) && (first < 0 || at < first))
    .map((arg) => carried(behindSign(arg)));
  return [...(words.length > 0 ? [carried(lineOf(words))] : []), ...texts];
}

/** Whether a text that a program carries may carry others in turn. */
export const takesLines = (program: string): boolean => TAKES_LINES.test(program);

function isStart(program: string, arg: string): boolean {
  const name = basename(arg);
  return STARTS.test(name) || REMOVERS.test(name) || (WRAPPERS.test(program) && WRAPPED.test(name));
}

/** `uv run program …`, `npm exec -- program …`, `docker exec web program …`. */
function startedBy(program: string, args: readonly string[]): readonly CarriedLine[] {
  const isShellLine = /^(?:npx|npm|pnpm|yarn|doppler)$/.test(program);
  const given = isShellLine
    ? args.flatMap((arg, at) => {
        const [, attached] = /^--(?:call|command)=(.*)$/s.exec(arg) ?? [];
        return attached ?? (/^(?:-c|--call|--command)$/.test(args[at - 1] ?? '') ? arg : []);
      })
    : [];
  if (given.length > 0) return given.map((line) => ({ line, behind: undefined, fed: false }));
  const isOwn = Object.hasOwn(RUNNERS, program) ? RUNNERS[program] : undefined;
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  if (isOwn === undefined || !isOwn.test(args[at] ?? '')) return inContainer(program, args);
  const rest = args.slice(at + 1);
  const end = rest.indexOf('--');
  const first =
    end >= 0 ? end + 1 : rest.findIndex((arg, index) => !arg.startsWith('-') && !isValue(rest[index - 1]));
  const words = first < 0 ? [] : rest.slice(first);
  const name = REMOVERS.exec(basename(words[0] ?? ''))?.[1];
  return words.length === 0
    ? []
    : [{ line: lineOf([name ?? words[0] ?? '', ...words.slice(1)]), behind: undefined, fed: false }];
}

/** `--with name`: the word behind it is no program. */
function isValue(before: string | undefined): boolean {
  return /^(?:--(?:with|python|package|group|extra|env-file|directory|project|name)|-[npPC])$/.test(
    before ?? '',
  );
}

function inContainer(program: string, args: readonly string[]): readonly CarriedLine[] {
  if (!CONTAINERS.test(program)) return [];
  const at = args.indexOf('exec');
  if (at < 0 || args.slice(0, at).some((arg) => /^(?:run|build|pull|push|logs|cp)$/.test(arg))) return [];
  const rest = args.slice(at + 1);
  const end = rest.indexOf('--');
  const takesValue = /^(?:-[euwncl]|--(?:env|user|workdir|env-file|detach-keys|index|container|namespace))$/;
  const name = rest.findIndex(
    (arg, index) => !arg.startsWith('-') && !takesValue.test(rest[index - 1] ?? ''),
  );
  const words = end >= 0 ? rest.slice(end + 1) : name < 0 ? [] : rest.slice(name + 1);
  return words.length === 0 ? [] : [{ line: lineOf(words), behind: 'container', fed: false }];
}

/** `--eval=x: ; rm …` and `CC=rm …` are lines behind the sign. */
const behindSign = (arg: string): string => arg.replace(/^(?:--?[\w-]+|[A-Za-z_]\w*)=/, '');

const lineOf = (words: readonly string[]): string => words.map(quote).join(' ');

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
