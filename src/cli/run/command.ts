/** `hookline run`: runs an agent in this folder, with the folder's own hooks. */

import type { Run } from '../../agent/loop/agent-loop.js';
import type { ResultMessage } from '../../agent/loop/messages.js';
import { HookError, show } from '../../base/errors.js';
import { EXIT } from '../../base/exit-codes.js';
import { type Call, defineCommand } from '../command.js';
import { followFailures } from './failed-hooks.js';
import { followHookEvents, type HookEvents } from './hook-events.js';
import { noPrompt, readPrompts } from './input.js';
import { RUN_OPTIONS } from './options.js';
import { createOutput, type Output } from './output.js';
import { type Prepared, prepare } from './prepare.js';
import { startRun } from './start-run.js';
import { isAtTerminal, runAtTerminal } from './terminal/session.js';

const FORMATS = { output: ['text', 'json', 'stream-json'], input: ['text', 'stream-json'] } as const;

export const command = defineCommand({
  usage: 'run [prompt] [options]',
  about:
    'Runs an agent in this folder until its work is done, with the hooks and permissions of the folder. ANTHROPIC_API_KEY or OPENAI_API_KEY (and …_BASE_URL, …_MODEL) select the model, or --script replaces it. Flags and messages are those of other headless agents, so that scripts written for them work here.',
  args: [0, 1],
  options: RUN_OPTIONS,
  examples: [
    ['hookline run', 'at a terminal: prompts, a live view of tools and hooks, permission questions'],
    ['hookline run -p "Fix the failing test"', 'work on one task'],
    ['hookline run -p "Go on" --continue', 'continue the latest session'],
    ['hookline run -p "Say hi" --script turns.yaml --output-format stream-json', 'rehearse with a script'],
  ],
  exits: [
    [EXIT.ok, 'the last prompt was answered'],
    [EXIT.failed, 'the run ended with an error: the model failed, a limit was reached'],
    [EXIT.usage, 'wrong usage: an unknown option, a missing file, no prompt, no model'],
    [
      EXIT.config,
      'a guard, a deny or ask rule, or a settings file of the user, the administrator or a folder that you have approved cannot be read, so nothing was started',
    ],
    [EXIT.interrupted, 'interrupted by Ctrl-C or a termination signal'],
  ],
  run: (call) => runCommand(call),
});

async function runCommand({ args: [prompt], options, io, cwd }: Call<typeof RUN_OPTIONS>): Promise<number> {
  const outputFormat = choose('output-format', options['output-format'], FORMATS.output);
  const inputFormat = choose('input-format', options['input-format'], FORMATS.input);
  if (isAtTerminal(options)) return runAtTerminal(prompt, options, io, cwd);
  const prepared = await prepare(options, cwd, (text) => io.printer.note(text), io.signal);
  const { loop, runner, close } = prepared;
  const shown = createOutput(outputFormat, options['include-hook-events'], io.printer);
  const denials = countDenials();
  const failures = followFailures(runner, cwd);
  const events = followHookEvents(runner, denials.beside(shown));
  try {
    if (options['init-only']) {
      await loop.start({ signal: io.signal });
      return io.signal.aborted ? EXIT.interrupted : EXIT.ok;
    }
    const prompts = readPrompts(prompt, inputFormat, io.signal);
    return await answerAll(prepared, events, prompts, io.signal);
  } finally {
    await loop.close();
    await close();
    for (const text of [failures(), denials.text()]) if (text !== undefined) io.printer.note(text);
  }
}

async function answerAll(
  { loop, runner }: Prepared,
  { output, during }: HookEvents,
  prompts: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<number> {
  let last: ResultMessage | undefined;
  for await (const prompt of prompts) {
    last = await during(() => watch(startRun(loop, prompt, signal), output));
    if (signal.aborted) return EXIT.interrupted;
  }
  if (signal.aborted) return EXIT.interrupted;
  if (last === undefined) {
    // A hook may give the session its first prompt.
    if (runner.hasHooks('SessionStart')) await loop.start({ signal });
    if ((await loop.session()).firstPrompts.length === 0) throw noPrompt();
    last = await during(() => watch(loop.run(undefined, { signal }), output));
    if (signal.aborted) return EXIT.interrupted;
  }
  const failed = last.is_error;
  return failed ? EXIT.failed : EXIT.ok;
}

async function watch(run: Run, output: Output): Promise<ResultMessage> {
  for (;;) {
    const step = await run.next();
    if (step.done) {
      output.end(step.value);
      return step.value;
    }
    output.message(step.value);
  }
}

function choose<const F extends readonly string[]>(
  name: string,
  value: string | undefined,
  formats: F,
): F[number] {
  if (value === undefined) return 'text';
  if (formats.includes(value)) return value;
  throw new HookError('invalid_option', `--${name} is ${show(value)}; give one of ${formats.join(', ')}.`);
}

interface UnattendedDenials {
  /** Wraps an output and counts the denials. */
  beside(output: Output): Output;
  /** The report for the end of the run; undefined if nothing was denied for this reason. */
  text(): string | undefined;
}

/** Counts the calls that were denied because no user was there to ask. */
function countDenials(): UnattendedDenials {
  const names: string[] = [];
  return {
    beside: (output) => ({
      message: (message) => {
        if (message.type === 'system' && message.subtype === 'permission_denied')
          if (message.decision_reason_type === 'default') names.push(message.tool_name);
        output.message(message);
      },
      end: (result) => output.end(result),
    }),
    text: () => {
      if (names.length === 0) return undefined;
      const calls = names.length === 1 ? '1 call was' : `${names.length} calls were`;
      const tools = [...new Set(names)];
      return `${calls} denied, because there is no terminal to ask for permission: ${tools.join(', ')}. Allow calls with --allowedTools, such as "Bash(git *) Edit", with the permissions of a settings file, or with --permission-mode. At a terminal, without -p, you are asked.`;
    },
  };
}
