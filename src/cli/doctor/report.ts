/** The report of `hookline doctor`, and how people read it. */
import type { Source } from '../../config/loaded.js';
import { rowOf } from '../../events/registry.js';
import type { HookEntry } from '../hooks/load.js';
import { oneLine, shortPath, shortPlace } from '../hooks/place.js';
import type { Printer } from '../printer.js';

/** A settings file, a plugin, an agent, a skill or a command. */
export interface Part {
  readonly name: string;
  readonly state: string;
  readonly layer: string;
  readonly file?: string;
  /** The variables that a settings file sets. */
  readonly env?: readonly string[];
  readonly hooks: number;
  /** How many of its hooks run in `hookline run`. */
  readonly running: number;
}

export interface Todo {
  readonly text: string;
  readonly code: string;
  readonly places: readonly Source[];
}

export interface Report {
  readonly folder: string;
  readonly settings: readonly Part[];
  readonly plugins: readonly Part[];
  readonly agents: readonly Part[];
  readonly skills: readonly Part[];
  readonly commands: readonly Part[];
  readonly hooks: readonly {
    readonly event: string;
    readonly description: string;
    readonly source: Source;
    /** `runs`, or why it does not. */
    readonly state: string;
    /** Whether its failure lets pass what it should refuse. */
    readonly failsOpen: boolean;
  }[];
  readonly todo: readonly Todo[];
}

/** Whether `hookline run` never runs it. */
export const isInactiveHere = ({ group, hook }: HookEntry): boolean =>
  hook.inactive !== undefined || rowOf(group.event).unfired !== '';

const MOST_PLACES = 5;
const TITLE_WIDTH = 'settings'.length;

export function showReport(report: Report, printer: Printer): void {
  const { paint } = printer;
  const { folder, hooks } = report;
  const sections = {
    settings: report.settings,
    plugins: report.plugins,
    agents: report.agents,
    skills: report.skills,
    commands: report.commands,
  };
  for (const [title, parts] of Object.entries(sections)) {
    printer.line(parts.length === 0 ? `${paint.bold(title.padEnd(TITLE_WIDTH))}  none` : paint.bold(title));
    for (const part of parts) printer.line(`  ${partLine(part, folder, paint)}`);
  }
  const states = new Map<string, number>();
  for (const { state } of hooks) states.set(state, (states.get(state) ?? 0) + 1);
  printer.line(hooks.length === 0 ? `${paint.bold('hooks'.padEnd(TITLE_WIDTH))}  none` : paint.bold('hooks'));
  for (const [state, count] of states) {
    const word = state === 'runs' ? paint.green(count === 1 ? 'runs' : 'run') : paint.magenta(state);
    printer.line(`  ${count} ${word}`);
    if (state === 'runs') continue;
    for (const hook of hooks.filter((one) => one.state === state).slice(0, MOST_PLACES))
      printer.line(
        `      ${hook.event}  ${oneLine(hook.description, 60)}  ${paint.dim(shortPlace(hook.source, folder))}`,
      );
  }
  if (report.todo.length === 0) {
    printer.line(
      hooks.length === 0
        ? '\nNo hooks yet. Write a first one: npx hookline init'
        : `\n${paint.green('Fine')}: nothing to do.`,
    );
    return;
  }
  printer.line(`\n${paint.bold('to do')}`);
  for (const { text, places } of report.todo) {
    printer.line(`  - ${text}`);
    for (const place of places.slice(0, MOST_PLACES))
      printer.line(`      ${paint.dim(shortPlace(place, folder))}`);
    if (places.length > MOST_PLACES)
      printer.line(`      ${paint.dim(`and ${places.length - MOST_PLACES} more`)}`);
  }
}

function partLine(
  { name, state, layer, file, env, hooks, running }: Part,
  folder: string,
  paint: Printer['paint'],
): string {
  const shown = name === file ? shortPath(name, folder) : name;
  const good = state === 'read' || state === 'enabled';
  const variables = env === undefined ? '' : `, sets ${env.join(', ')}`;
  const counted = hooks === 0 ? 'no hooks' : `${running} of ${hooks} hook${hooks === 1 ? '' : 's'} run`;
  const where = file === undefined || name === file ? '' : `  ${paint.dim(shortPath(file, folder))}`;
  return `${shown} (${layer})  ${good ? paint.green(state) : paint.magenta(state)}, ${counted}${variables}${where}`;
}
