/** Which variables a line may set without changing what programs do. */

/** They change a program's output, not what it runs. */
const HARMLESS =
  /^(?:CI|COLUMNS|FORCE_COLOR|LANG|LANGUAGE|LC_\w+|LINES|NODE_ENV|NO_COLOR|PYTHONUNBUFFERED|RUST_BACKTRACE|TERM|TZ|IFS)$/;

/** Set for one command only, before its name. */
export function isHarmlessVariable(name: string): boolean {
  return HARMLESS.test(name);
}

/** By convention, names of the shell and the environment are in capitals. */
export function isOrdinaryVariable(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !/_proxy$/.test(name) && name !== '_';
}
