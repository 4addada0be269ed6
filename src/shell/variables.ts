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

/** Set for one command only, before its name. */
export function isHarmlessVariable(name: string): boolean {
  return HARMLESS.test(name);
}

/** By convention, names of the shell and the environment are in capitals. */
export function isOrdinaryVariable(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !/_proxy$/.test(name) && name !== '_';
}
