/** `hookline explain`: which hooks would run, in which order, and why the others would not. */
import { HookError, show } from '../../base/errors.js';
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { rowOf } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import type { ExplainedHook, Explanation } from '../../runner/explain.js';
import { reportBroken } from '../check/broken.js';
import { hintParentConfig } from '../check/parent-config-hint.js';
import { defineCommand } from '../command.js';
import { reportUntrusted } from '../hooks/inactive.js';
import { INPUT_OPTIONS, readEvent, readInput } from '../hooks/input.js';
import { HOOK_OPTIONS, loadHooks } from '../hooks/load.js';
import { oneLine, shortPlace } from '../hooks/place.js';
import { openSession } from '../hooks/session.js';
import type { Printer } from '../printer.js';

export const command = defineCommand({
  usage: 'explain <Event> [subject] [options]',
  about:
    'Shows which hooks a fire would run, in which order, and why the others would not run. Runs nothing. The subject is\nwhat matchers look at: the name of a tool, the source of a session.',
  args: [1, 2],
  options: {
    ...INPUT_OPTIONS,
    json: { type: 'boolean', help: 'Print the explanation as JSON.' },
    ...HOOK_OPTIONS,
  },
  exits: [
    [EXIT.ok, 'the list is complete'],
    [EXIT.failed, 'a file is broken, and none of its hooks is active'],
    ...EXIT_CODES.filter(([code]) => code >= EXIT.usage),
  ],
  examples: [
    ['hookline explain PreToolUse Write', 'the hooks that run before a file is written'],
    [
      `hookline explain PreToolUse Bash --set tool_input.command='git push'`,
      'conditions look at the whole input',
    ],
  ],
  async run({ args, options, io, cwd }) {
    const event = readEvent(args[0]);
    const input = await readInput(
      event,
      { ...options, set: [...subjectOf(event, args[1]), ...options.set] },
      cwd,
      io,
    );
    const hooks = await loadHooks(cwd, options);
    const session = openSession(hooks, io);
    try {
      const explanation = session.explain(event, input);
      if (options.json) io.printer.json(explanation);
      else showExplanation(explanation, io.printer, cwd);
      reportUntrusted(hooks, io);
      const broken = reportBroken(hooks, io);
      await hintParentConfig(hooks, (text) => io.printer.note(text));
      return broken.length > 0 ? EXIT.failed : EXIT.ok;
    } finally {
      await session.close();
    }
  },
});

/** As permission rules name calls. */
const RULE = /^(\w+)\(.*\)$/s;

/** The subject as a `--set` argument; always a string, even if it looks like JSON. */
function subjectOf(event: AnyEvent, subject: string | undefined): string[] {
  if (subject === undefined) return [];
  const field = rowOf(event).matcherField;
  const rule = field === 'tool_name' ? RULE.exec(subject) : null;
  if (rule !== null)
    throw new HookError(
      'invalid_option',
      `The subject is the name of a tool: ${rule[1]}, not ${show(subject)}. Give the input of the call with --set, such as --set tool_input.command=…`,
    );
  if (field !== null) return [`${field}=${JSON.stringify(subject)}`];
  throw new HookError(
    'invalid_option',
    `${event} has no subject for matchers, so ${show(subject)} has no effect. Leave it out.`,
  );
}

function showExplanation({ event, subject, hooks }: Explanation, printer: Printer, cwd: string): void {
  const { paint } = printer;
  const runs = hooks.filter((hook) => hook.runs);
  const left = hooks.filter((hook) => !hook.runs);
  const name = subject === undefined ? event : `${event} ${subject}`;
  if (hooks.length === 0) printer.line(`No hook is registered for ${event}.`);
  if (runs.length > 0) printer.line(`${paint.bold(name)} would run, step by step:`);
  else if (left.length > 0) printer.line(`${paint.bold(name)} would run nothing.`);
  for (const hook of runs) {
    printer.line(`  ${paint.green(String(hook.step).padStart(2))}  ${describe(hook, printer, cwd)}`);
    if (hook.why !== undefined)
      printer.line(`      refuses in its place, ${hook.why}: ${hook.message ?? ''}`);
    if (hook.warning !== undefined) printer.line(`      ${paint.magenta('!')} ${hook.warning}`);
  }
  if (left.length > 0) printer.line(`${runs.length > 0 ? '\n' : ''}Would not run:`);
  for (const hook of left) {
    printer.line(`   ${paint.magenta('-')}  ${describe(hook, printer, cwd)}`);
    printer.line(`      ${reasonOf(hook)}`);
  }
}

/** The message alone where it says the same as the word before it. */
function reasonOf({ why, message = '' }: ExplainedHook): string {
  return why === undefined || message.includes(why) ? message : `${why}: ${message}`;
}

function describe({ description, matcher, source }: ExplainedHook, { paint }: Printer, cwd: string): string {
  const matched = matcher === undefined || matcher === '' ? '' : `  [${oneLine(matcher)}]`;
  const place = source === undefined ? '' : `  ${shortPlace(source, cwd)}`;
  return `${oneLine(description)}${matched}${paint.dim(place)}`;
}
