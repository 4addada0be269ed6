/** Rejects unknown options: a misspelt name must not silently leave out a guard. */
import { HookError, show } from '../errors.js';
import { suggest } from './suggest.js';

/** The name of every option. The compiler checks the table against the type. */
export type OptionNames<T> = Readonly<Record<keyof T, true>>;

/** Throws a HookError with code `invalid_option`. `what` names the function or class that takes the options. */
export function refuseUnknownOptions<T extends object>(
  what: string,
  options: T,
  known: OptionNames<T>,
): void {
  if (typeof options !== 'object' || options === null) {
    throw new HookError('invalid_option', `The options of ${what} are ${show(options)}; give an object.`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !Object.hasOwn(known, name))
      throw unknownOption(what, name, Object.keys(known));
  }
}

function unknownOption(what: string, name: string, known: readonly string[]): HookError {
  const meant = suggest(name, known);
  const advice =
    meant === undefined ? `The options are ${known.join(', ')}.` : `Did you mean ${show(meant)}?`;
  return new HookError('invalid_option', `${what} has no option ${show(name)}. ${advice}`);
}
