/** Whether a shell line may run: each of its commands needs a rule that allows it, or does nothing but read or edit here. */
import type { JudgedCall } from './judged-call.js';
import { protectedName } from './protected-paths.js';
import type { PermissionRule } from './rule.js';
import { coversCommand, reachesFile } from './rule-bash.js';
import type { StudiedCommand, StudiedLine } from './shell/study-line.js';
import type { PermissionState } from './state.js';
import type { PermissionVerdict } from './types.js';
import { allow, ask, code } from './verdicts.js';

/** Nothing is changed; where it reads is another question. */
export function onlyReads({ readable, commands }: StudiedLine): boolean {
  return readable && commands.every(({ kind }) => kind === 'reads');
}

export function decideShell(judged: JudgedCall, state: PermissionState): PermissionVerdict {
  const { line, command = '', call } = judged;
  const tool = call.toolName;
  const rules = state.rules.of('allow');
  const whole = rules.find((rule) => judged.isCoveredBy(rule));
  if (whole) return allow('rule', `The rule ${code(whole.text)} allows ${tool}.`, whole.text);
  if (!line) return ask('default', `${tool} needs approval: its input holds no command.`);
  if (!line.readable)
    return ask(
      'default',
      `${tool} needs approval: no rule allows this line, and what it does cannot be told for sure.`,
    );
  const open = openCommands(line, state);
  const [first] = open;
  if (first) {
    const form = line.simple ? '' : ', and its line is more than plain commands in a row';
    return ask('default', `${tool} needs approval: ${describeNeed(first, state)}${form}.`);
  }
  const rule = line.commands.flatMap((each) => rules.find((one) => covers(one, each)) ?? [])[0];
  if (line.commands.every((each) => isReading(each, state)))
    return allow('tool', `${code(command)} only reads, in the working directories.`);
  if (rule) return allow('rule', `The rule ${code(rule.text)} allows ${tool}.`, rule.text);
  return allow('mode', `The mode acceptEdits allows ${code(command)} in the working directories.`);
}

/** The commands that nothing allows yet. */
export function openCommands({ commands }: StudiedLine, state: PermissionState): readonly StudiedCommand[] {
  const rules = state.rules.of('allow');
  return commands.filter(
    (each) =>
      !isReading(each, state) && !isAcceptedEdit(each, state) && !rules.some((rule) => covers(rule, each)),
  );
}

function covers({ command: pattern }: PermissionRule, { command }: StudiedCommand): boolean {
  return pattern !== undefined && coversCommand(command, pattern);
}

function isReading({ kind, reads, searches }: StudiedCommand, state: PermissionState): boolean {
  if (kind !== 'reads' || !reads.every((place) => state.directories.holds(place))) return false;
  // It would also read the files below that some rule is about.
  return !searches || !hidesFiles(state);
}

function hidesFiles({ rules }: PermissionState): boolean {
  return [...rules.of('deny'), ...rules.of('ask')].some(
    ({ tool, specifier }) => tool === 'Read' && specifier !== undefined,
  );
}

/** Simple work on files in the working directories, none of which decides what runs later. */
export function isEditInside(
  { kind, reads, writes }: StudiedCommand,
  { directories }: PermissionState,
): boolean {
  return (
    kind === 'edits' &&
    [...reads, ...writes].every((place) => directories.holds(place)) &&
    writes.every((place) => protectedName(place, directories) === undefined)
  );
}

function isAcceptedEdit(command: StudiedCommand, state: PermissionState): boolean {
  return state.mode === 'acceptEdits' && isEditInside(command, state);
}

/** What is missing, in half a sentence. */
function describeNeed(studied: StudiedCommand, state: PermissionState): string {
  const { kind, reads, writes } = studied;
  const shown = code(nameOf(studied));
  const guarded = writes.map((place) => protectedName(place, state.directories)).find((name) => name);
  if (guarded !== undefined) return `no rule allows ${shown}, and ${code(guarded)} decides what runs later`;
  const outside =
    kind === 'unknown' ? undefined : [...reads, ...writes].find((place) => !state.directories.holds(place));
  if (outside)
    return `no rule allows ${shown}, and ${code(outside.path)} leads outside the working directories`;
  if (kind === 'reads') return `no rule allows ${shown}, which would also read files that a rule is about`;
  return `no rule allows ${shown}`;
}

/** The program and the files it is redirected to: whoever called it knows the rest. */
function nameOf({ command: { words, redirects } }: StudiedCommand): string {
  return [
    ...words.slice(0, 1).map(({ raw }) => raw),
    ...redirects.flatMap(({ operator, target }) =>
      reachesFile(operator, target) ? [`${operator} ${target.raw}`] : [],
    ),
  ].join(' ');
}
