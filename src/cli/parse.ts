/** Parses the words of a call into arguments and options; errors suggest the closest valid name. */
import { parseArgs } from 'node:util';
import { HookError, show } from '../base/errors.js';
import { didYouMean } from '../base/text/suggest.js';
import { COMMON_OPTIONS, type Command, type Option, type Options, type Values } from './command.js';

export interface Parsed {
  readonly args: readonly string[];
  readonly options: Values<Options> & Values<typeof COMMON_OPTIONS>;
}

/** Throws a HookError with code `invalid_option`. */
export function parse(words: readonly string[], options: Options): Parsed {
  const known: Options = { ...options, ...COMMON_OPTIONS };
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(Object.entries(known).map(([name, option]) => [name, forParser(option)])),
    strict: false,
    tokens: true,
  });
  const args: string[] = [];
  const values: Record<string, unknown> = Object.fromEntries(
    Object.entries(known).map(([name, option]) => [name, absent(option)]),
  );
  /** The option that consumes the following words. */
  let greedy: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') greedy = undefined;
    if (token.kind === 'positional') {
      if (greedy === undefined) args.push(token.value);
      else values[greedy] = [...(values[greedy] as unknown[]), token.value];
    }
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (option === undefined) throw unknownOption(token.rawName, known);
    const value = readValue(option, token);
    values[token.name] = option.multiple ? [...(values[token.name] as unknown[]), value] : value;
    greedy = option.greedy === true ? token.name : undefined;
  }
  return { args, options: values as Parsed['options'] };
}

/** Throws a HookError if there are too few or too many arguments. */
export function checkArguments(
  name: string,
  { args: [least, most], usage }: Command,
  args: readonly string[],
): void {
  if (args.length >= least && args.length <= most) return;
  const what =
    args.length < least
      ? `${name} needs at least ${least} argument${least === 1 ? '' : 's'}, got ${args.length}`
      : `${name} takes no argument ${show(args[most])}`;
  throw new HookError('invalid_option', `${what}. Usage: hookline ${usage}`);
}

interface OptionToken {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function readValue(option: Option, { rawName, value, inlineValue }: OptionToken): unknown {
  if (option.type === 'boolean') {
    if (value === undefined) return true;
    throw new HookError('invalid_option', `${rawName} takes no value, got ${show(value)}. Leave it out.`);
  }
  const wanted = option.value ?? 'VALUE';
  if (value === undefined) {
    throw new HookError('invalid_option', `${rawName} needs a value: ${rawName} ${wanted}.`);
  }
  // `-` alone means standard input.
  if (inlineValue !== true && value.length > 1 && value.startsWith('-')) {
    throw new HookError(
      'invalid_option',
      `${rawName} needs a value, and ${show(value)} looks like an option. If it is the value, write ${rawName}=${value}.`,
    );
  }
  return value;
}

function forParser({ type, short, multiple = false }: Option) {
  return { type, multiple, ...(short !== undefined && { short }) };
}

function absent({ type, multiple }: Option): unknown {
  if (multiple) return [];
  return type === 'boolean' ? false : undefined;
}

function unknownOption(rawName: string, known: Options): HookError {
  const hint = rawName.startsWith('--') ? didYouMean(rawName.slice(2), Object.keys(known), '--') : '';
  return new HookError('invalid_option', `There is no option ${rawName}.${hint} See --help.`);
}
