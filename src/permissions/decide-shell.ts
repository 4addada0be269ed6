/**
 * Decides whether a shell line may run: each command needs an allow rule, or must only read or edit in the working
 * directories.
 */

import type { AnalysedCommand, AnalysedLine } from './analyse-line.js';
import type { JudgedCall } from './judged-call.js';
import { protectedName } from './protected-paths.js';
import type { PermissionRule } from './rule.js';
import { commandsToCover, coversCommand, reachesFile } from './rule-bash.js';
import type { PermissionState } from './state.js';
import type { PermissionVerdict } from './types.js';
import { allow, ask, code } from './verdicts.js';

/** Whether nothing is changed, regardless of where it reads. */
export function onlyReads({ unreadable, revealed, commands }: AnalysedLine): boolean {
  return unreadable === undefined && revealed.length === 0 && commands.every(({ kind }) => kind === 'reads');
}

export function decideShell(judged: JudgedCall, state: PermissionState): PermissionVerdict {
  const { line, command = '', call } = judged;
  const tool = call.toolName;
  const rules = state.rules.of('allow');
  const problem = line?.commands.find((each) => each.problem !== undefined)?.problem;
  const whole = rules.find(
    (rule) => judged.isCoveredBy(rule) && (problem === undefined || rule.command?.exact !== false),
  );
  if (whole) return allow('rule', `The rule ${code(whole.text)} allows ${tool}.`, whole.text);
  if (!line) return ask('default', `${tool} needs approval: its input has no command.`);
  if (line.unreadable !== undefined)
    return ask(
      'default',
      `${tool} needs approval: what this line does cannot be determined: ${line.unreadable}.`,
    );
  const [secret] = line.revealed;
  if (secret !== undefined)
    return ask(
      'default',
      `${tool} needs approval: this line may show the value of ${code(`$${secret}`)}, which may be a secret.`,
    );
  const [first] = openCommands(line, state);
  if (first) return ask('default', `${tool} needs approval: ${describeNeed(first, state)}.`);
  const rule = line.commands.flatMap((each) => rules.find((one) => covers(one, each)) ?? [])[0];
  if (line.commands.every((each) => isReading(each, state)))
    return allow('tool', `${code(command)} only reads, in the working directories.`);
  if (rule) return allow('rule', `The rule ${code(rule.text)} allows ${tool}.`, rule.text);
  return allow('mode', `The mode acceptEdits allows ${code(command)} in the working directories.`);
}

/** The commands that nothing allows yet. */
export function openCommands({ commands }: AnalysedLine, state: PermissionState): readonly AnalysedCommand[] {
  const rules = state.rules.of('allow');
  const needed = new Set(commandsToCover(commands.map(({ command }) => command)));
  return commands.filter(
    (each) =>
      needed.has(each.command) &&
      !isReading(each, state) &&
      !isAcceptedEdit(each, state) &&
      !(each.problem === undefined && rules.some((rule) => covers(rule, each))),
  );
}

function covers({ command: pattern }: PermissionRule, { command }: AnalysedCommand): boolean {
  return pattern !== undefined && coversCommand(command, pattern);
}

function isReading({ kind, reads, visits }: AnalysedCommand, { directories }: PermissionState): boolean {
  return kind === 'reads' && [...reads, ...visits].every((place) => directories.holds(place));
}

/** Simple file operations in the working directories, on files that do not affect what runs later. */
export function isEditInside(
  { kind, reads, writes }: AnalysedCommand,
  { directories }: PermissionState,
): boolean {
  return (
    kind === 'edits' &&
    [...reads, ...writes].every((place) => directories.holds(place)) &&
    writes.every((place) => protectedName(place, directories) === undefined)
  );
}

function isAcceptedEdit(command: AnalysedCommand, state: PermissionState): boolean {
  return state.mode === 'acceptEdits' && isEditInside(command, state);
}

/** What is missing, as a clause. */
function describeNeed(analysed: AnalysedCommand, state: PermissionState): string {
  const { command, kind, reads, writes, problem } = analysed;
  const shown = code(nameOf(analysed));
  const guarded = writes.map((place) => protectedName(place, state.directories)).find((name) => name);
  if (guarded !== undefined) return `no rule allows ${shown}, and ${code(guarded)} decides what runs later`;
  const outside =
    kind === 'unknown' ? undefined : [...reads, ...writes].find((place) => !state.directories.holds(place));
  if (outside)
    return `no rule allows ${shown}, and ${code(outside.path)} leads outside the working directories`;
  if (problem !== undefined) return problem;
  const [secret] = command.words.flatMap(({ environment }) => environment);
  return `no rule allows ${shown}${secret === undefined ? '' : `, and ${code(`$${secret}`)} may hold a secret`}`;
}

/** The program and the files it is redirected to; the caller knows the rest. */
function nameOf({ command: { words, redirects } }: AnalysedCommand): string {
  return [
    ...words.slice(0, 1).map(({ raw }) => raw),
    ...redirects.flatMap(({ operator, target }) =>
      reachesFile(operator, target) ? [`${operator} ${target.raw}`] : [],
    ),
  ].join(' ');
}
