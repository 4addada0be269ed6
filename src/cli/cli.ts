/** Runs one invocation of the command line: finds the command, parses its options, and turns errors into messages. */
import { resolve } from 'node:path';
import { HookError, messageOf, toError } from '../base/errors.js';
import { EXIT } from '../base/exit-codes.js';
import { didYouMean } from '../base/text/suggest.js';
import { COMMIT, VERSION } from '../base/version.js';
import { COMMANDS, type CommandEntry } from './commands.js';
import { commandHelp, overview } from './help.js';
import type { Io } from './io.js';
import { checkArguments, parse } from './parse.js';

/** Resolves to the exit code. Contract: never rejects. */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    const exit = report(error, argv, io);
    return COMMANDS.find(({ name }) => name === argv[0])?.mistakes ?? exit;
  } finally {
    io.printer.status(undefined);
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const { printer } = io;
  const [first, ...rest] = argv;
  if (first === '--version' || first === '-V' || first === '-v' || first === 'version') {
    printer.line(COMMIT === undefined ? VERSION : `${VERSION} (${COMMIT})`);
    return EXIT.ok;
  }
  const asksHelp = first === 'help' || first === '--help' || first === '-h';
  const name = asksHelp ? rest[0] : first;
  if (name === undefined) {
    printer.line(overview(VERSION, printer.paint));
    return asksHelp ? EXIT.ok : EXIT.usage;
  }
  const { command } = await entryOf(name).load();
  const { args, options } = parse(asksHelp ? [] : rest, command.options);
  if (asksHelp || options.help) {
    printer.line(commandHelp(command, printer.paint, printer.columns !== undefined));
    return EXIT.ok;
  }
  checkArguments(name, command, args);
  return command.run({ args, options, io, cwd: resolve(io.cwd, options.cwd ?? '.') });
}

function entryOf(name: string): CommandEntry {
  const entry = COMMANDS.find((each) => each.name === name);
  if (entry !== undefined) return entry;
  const names = COMMANDS.map((each) => each.name);
  const what = name.startsWith('-') ? 'The name of a command comes first, not' : 'There is no command';
  throw new HookError(
    'invalid_option',
    `${what} ${JSON.stringify(name)}.${didYouMean(name, names)} The commands are ${names.join(', ')}.`,
  );
}

/** An error of the caller or of a file is printed as a message; anything else is an internal error. */
function report(error: unknown, argv: readonly string[], { printer, signal }: Io): number {
  if (signal.aborted) return EXIT.interrupted;
  const text = argv.includes('--debug') ? (toError(error).stack ?? messageOf(error)) : messageOf(error);
  if (error instanceof HookError || toError(error).name === 'TrustError') {
    printer.note(text);
    if (!(error instanceof HookError)) return EXIT.failed;
    return error.code === 'invalid_config' ? EXIT.config : EXIT.usage;
  }
  printer.note(`Internal error in hookline: ${text}. Use --debug for the stack.`);
  return EXIT.bug;
}
