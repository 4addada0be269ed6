/** The help texts, generated from the declarations of the commands. */

import { EXIT_CODES } from '../base/exit-codes.js';
import { COMMON_OPTIONS, type Command, type Options } from './command.js';
import { COMMANDS } from './commands.js';
import type { Paint } from './printer.js';

export function overview(version: string, paint: Paint): string {
  const commands = COMMANDS.map(({ usage, summary }) => [usage, summary] as const);
  return sections([
    `hookline ${version}: run, try and check the hooks of an agent from the shell.`,
    `${paint.bold('Usage')}\n  hookline <command> [options]`,
    `${paint.bold('Commands')}\n${columns(commands)}`,
    `${paint.bold('Options')}\n${columns([...optionLines(COMMON_OPTIONS), ['--version', 'Show the version and the commit it was built from.']])}`,
    `${paint.bold('Exit codes')}\n${exitCodes(EXIT_CODES)}`,
    `${paint.bold('Examples')}\n${columns([
      ['hookline init', 'a starter file and a guard'],
      [`hookline fire PreToolUse --set tool_input.command='rm -rf /'`, 'the decision of the guard'],
      ['hookline check', 'problems with the hooks of this folder'],
      ['hookline <command> --help', 'more about a command'],
    ])}`,
  ]);
}

/** `flows`: a terminal breaks the lines itself. */
export function commandHelp(command: Command, paint: Paint, flows: boolean): string {
  const { usage, about, options, examples, exits } = command;
  return sections([
    flows ? about.replaceAll('\n', ' ') : about,
    `${paint.bold('Usage')}\n  hookline ${usage}`,
    `${paint.bold('Options')}\n${columns([...optionLines(options), ...optionLines(COMMON_OPTIONS)])}`,
    `${paint.bold('Exit codes')}\n${exitCodes(exits ?? EXIT_CODES)}`,
    `${paint.bold('Examples')}\n${examples.map(([line, what]) => `  ${line}\n      ${paint.dim(what)}`).join('\n')}`,
  ]);
}

function optionLines(options: Options): (readonly [string, string])[] {
  return Object.entries(options).map(([name, { short, type, value = 'VALUE', multiple, help }]) => {
    const names = `${short === undefined ? '' : `-${short}, `}--${name}`;
    const taken = type === 'string' ? ` ${value}` : '';
    return [`${names}${taken}`, multiple ? `${help} Repeatable.` : help] as const;
  });
}

function exitCodes(codes: readonly (readonly [number, string])[]): string {
  return columns(codes.map(([code, meaning]) => [String(code), meaning] as const));
}

const WIDEST = 30;

/** Two columns; a left side that is too wide gets its own line. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(WIDEST, Math.max(...rows.map(([left]) => left.length)));
  return rows
    .map(([left, right]) =>
      left.length > width
        ? `  ${left}\n  ${' '.repeat(width)}  ${right}`
        : `  ${left.padEnd(width)}  ${right}`,
    )
    .join('\n');
}

function sections(texts: readonly string[]): string {
  return texts.join('\n\n');
}
