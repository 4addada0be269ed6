/** Which variables a line may set without changing what programs do. */

/** They change a program's output, not what it runs. */
const HARMLESS =
  /^(?:CI|COLUMNS|FORCE_COLOR|LANG|LANGUAGE|LC_\w+|LINES|NODE_ENV|NO_COLOR|PYTHONUNBUFFERED|RUST_BACKTRACE|TERM|TZ|IFS)$/;

/** They describe the machine, the user or the shell; any other variable of the environment may hold a secret. */
const PUBLIC =
  /^(?:HOME|PWD|OLDPWD|USER|LOGNAME|SHELL|PATH|HOSTNAME|HOSTTYPE|OSTYPE|MACHTYPE|UID|EUID|GROUPS|PPID|SHLVL|RANDOM|SRANDOM|SECONDS|EPOCHSECONDS|EPOCHREALTIME|LINENO|PIPESTATUS|SHELLOPTS|OPTIND|EDITOR|VISUAL|PAGER|TMPDIR|COLORTERM|DISPLAY|XDG_\w+|VIRTUAL_ENV|CONDA_(?:PREFIX|DEFAULT_ENV)|JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|RUSTUP_HOME|NVM_DIR|PYTHONPATH|NODE_PATH)$/;

export function isPublicVariable(name: string): boolean {
  return PUBLIC.test(name) || HARMLESS.test(name);
}

/** They change a program's output only. */
export function isHarmlessVariable(name: string): boolean {
  return HARMLESS.test(name);
}

/** Programs run what these hold. */
const HOLDS_PROGRAM =
  /(?:^|_)(?:PAGER|EDITOR|VISUAL|BROWSER|ASKPASS|RSH|SHELL|COMMAND|CMD|PROG|PROGRAM)$|^(?:MANPAGER|LESSOPEN|LESSCLOSE|GIT_SSH|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|TAR_OPTIONS|MANOPT)$/;
/** They show their input or do nothing. */
const HARMLESS_PROGRAM =
  /^(?:|:|true|false|cat|less|more|less -[FRSXMNQi]+|(?:\/usr)?\/bin\/(?:true|false|cat|less|more))$/;

/** A line for a shell in the value of a variable; undefined if it holds none, or a harmless one. */
export function programIn(name: string, value: string): string | undefined {
  if (!HOLDS_PROGRAM.test(name) || HARMLESS_PROGRAM.test(value)) return undefined;
  // `LESSOPEN='|-program %s'`, `TAR_OPTIONS='-I program'`.
  if (name === 'TAR_OPTIONS') return `tar ${value}`;
  return name === 'MANOPT' ? `man ${value}` : value.replace(/^\|{1,2}-?/, '');
}

export function holdsProgram(name: string): boolean {
  return HOLDS_PROGRAM.test(name);
}

/** Whether a variable with this value, undefined if it is not known, changes nothing in what a command does. */
export function isHarmlessAssignment(name: string, value: string | undefined): boolean {
  if (value === undefined) return false;
  return HARMLESS.test(name) || (HOLDS_PROGRAM.test(name) && HARMLESS_PROGRAM.test(value));
}

/** By convention, names of the shell and the environment are in capitals. */
export function isOrdinaryVariable(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !/_proxy$/.test(name) && name !== '_';
}

/** The first part of names that the shell or a program that only reads gives a meaning. */
const MEANT =
  /^(?:ACK|AG|AWK|BASH|BAT|BLOCK|CDPATH|COLUMN|COMP|CURL|DEBUGINFOD|DIFF|DIRSTACK|DOCKER|DPKG|DYLD|ENV|EXECIGNORE|FD|FIGNORE|FPATH|FUNCNEST|GAWK|GCONV|GIT|GLIBC|GLOBIGNORE|GREP|GZIP|HIST|HOME|HOST|IFS|IGNORE|INPUTRC|JAVA|JDK|JQ|LD|LESS|LIB|LOC|LS|MAGIC|MAIL|MALLOC|MORE|NLS|NODE|NPM|OLDPWD|OPENSSL|PAGER|PATH|PERL|PIP|POSIX|PROMPT|PS\d?(?:_|$)|PWD|PYTHON|RIPGREP|RUBY|SHELL|SSH|TAR|TERM|TIMEFORMAT|TMOUT|TMP|TREE|TZ|UNZIP|USER|XDG|ZDOTDIR|ZIP|ZSH|_)|(?:PAGER|EDITOR|VISUAL|PATH|OPTS?|OPTIONS|FLAGS|COMMAND|CMD|CONFIG|PROXY|SSH|RSH|ASKPASS|BROWSER|PRELOAD)$/;

/** Set by the line for itself, or exported under a name that means nothing to programs that only read. */
export function isOwnVariable(name: string): boolean {
  return isOrdinaryVariable(name) || (/^[A-Z][A-Z0-9_]*$/.test(name) && !MEANT.test(name));
}
