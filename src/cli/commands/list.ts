/** `hookline list`: all hooks of a folder, where they are defined, and whether they run. */

import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import type { LoadedHook } from '../../config/loaded.js';
import { unfiredText } from '../../config/unknown-event.js';
import { resolveDialect } from '../../dialects/index.js';
import { rowOf } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import { reportBroken } from '../check/broken.js';
import { hintParentConfig } from '../check/parent-config-hint.js';
import { alignRows } from '../columns.js';
import { defineCommand } from '../command.js';
import { reportUntrusted } from '../hooks/inactive.js';
import { readEvent } from '../hooks/input.js';
import { disposeHooks, HOOK_OPTIONS, type HookEntry, type LoadedHooks, loadHooks } from '../hooks/load.js';
import { oneLine, shortPath, shortPlace } from '../hooks/place.js';
import type { Printer } from '../printer.js';

export const command = defineCommand({
  usage: 'list [Event] [options]',
  about: 'Lists all hooks for this folder, by event, and where each is defined. Runs nothing.',
  args: [0, 1],
  options: { json: { type: 'boolean', help: 'Print the list as JSON.' }, ...HOOK_OPTIONS },
  exits: [
    [EXIT.ok, 'the list is complete'],
    [EXIT.failed, 'a file is broken, and none of its hooks is active'],
    ...EXIT_CODES.filter(([code]) => code >= EXIT.usage),
  ],
  examples: [
    ['hookline list', 'everything'],
    ['hookline list PreToolUse --json', 'one event, for programs'],
  ],
  async run({ args, options, io, cwd }) {
    const { printer } = io;
    const event = args[0] === undefined ? undefined : readEvent(args[0]);
    const hooks = await loadHooks(cwd, options);
    try {
      const entries = hooks.entries.filter(({ group }) => event === undefined || group.event === event);
      if (options.json) printer.json(entries.map(toJson));
      else showEntries(entries, printer, cwd);
      reportUntrusted(hooks, io);
      const broken = reportBroken(hooks, io);
      if (entries.length === 0 && !options.json) showNothing(hooks, event, broken.length > 0, printer);
      await hintParentConfig(hooks, (text) => io.printer.note(text));
      return broken.length > 0 ? EXIT.failed : EXIT.ok;
    } finally {
      await disposeHooks(hooks);
    }
  },
});

function showNothing(
  { configs, entries, cwd }: LoadedHooks,
  event: AnyEvent | undefined,
  broken: boolean,
  printer: Printer,
): void {
  const which = event === undefined ? '' : ` for ${event}`;
  if (broken || entries.length > 0) {
    printer.line(`No hooks${which}${broken ? ' that are active' : ''}.`);
    return;
  }
  printer.line(`No hooks${which}. Looked for:`);
  for (const file of configs.flatMap(({ files }) => files)) printer.line(`  ${shortPath(file, cwd)}`);
  printer.line('`hookline init` writes a first one.');
}

function toJson({ group, hook }: HookEntry): Readonly<Record<string, unknown>> {
  const { dialect } = group.options;
  return {
    event: group.event,
    ...(group.options.matcher !== undefined && { matcher: group.options.matcher }),
    ...(group.agentId !== undefined && { agent: group.agentId }),
    description: hook.description,
    ...(hook.condition !== undefined && { condition: hook.condition }),
    dialect: resolveDialect(dialect).name,
    active: stateOf(hook, group.event) === 'active',
    ...(hook.inactive !== undefined && { inactive: hook.inactive }),
    ...(rowOf(group.event).unfired !== '' && { unfired: unfiredText(group.event) }),
    source: hook.source,
  };
}

const WIDEST_MATCHER = 30;

function showEntries(entries: readonly HookEntry[], printer: Printer, cwd: string): void {
  const { paint } = printer;
  const lines = alignRows(
    entries.map(({ group, hook }) => {
      const state = stateOf(hook, group.event);
      const agent = group.agentId === undefined ? '' : ` (agent ${oneLine(group.agentId)})`;
      const condition = hook.condition === undefined ? '' : ` if ${oneLine(hook.condition)}`;
      return [
        { text: state, paint: state === 'active' ? paint.green : paint.magenta },
        {
          text: `${oneLine(group.options.matcher || '*', WIDEST_MATCHER)}${agent}`.trim(),
        },
        { text: `${oneLine(hook.description)}${condition}` },
        { text: `${shortPlace(hook.source, cwd)} (${hook.source.layer})`, paint: paint.dim },
      ];
    }),
  );
  for (const event of new Set(entries.map(({ group }) => group.event))) {
    printer.line(paint.bold(event));
    for (const [i, { group }] of entries.entries()) if (group.event === event) printer.line(`  ${lines[i]}`);
  }
}

/** Whether it runs in `hookline run`, or why it does not. */
function stateOf({ inactive }: LoadedHook, event: AnyEvent): string {
  if (inactive !== undefined) return inactive.reason;
  return rowOf(event).unfired === '' ? 'active' : 'not fired';
}
