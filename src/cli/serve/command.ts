/** `hookline serve`: runs an agent in this folder with a web page to watch it and talk to it. */

import { resolve } from 'node:path';
import { EXIT } from '../../base/exit-codes.js';
import { MAIN_AGENT } from '../../injection/hooks/built-in.js';
import { createHumanInput } from '../../injection/hooks/human-input.js';
import { createMailbox } from '../../injection/mailboxes/memory/mailbox.js';
import { type LiveView, startLiveView } from '../../live/live-view.js';
import { type Call, defineCommand, type Options } from '../command.js';
import { EMBEDDED } from '../embedded-model.js';
import type { Io } from '../io.js';
import { EMBEDDED_EXAMPLES } from '../run/embedded-model.js';
import { RUN_OPTIONS } from '../run/options.js';
import { createOutput } from '../run/output.js';
import { type Prepared, prepare } from '../run/prepare.js';
import { startRun } from '../run/start-run.js';
import { noticesOf } from './notices.js';
import { openBrowser, PAGE_OPTIONS, portOf } from './page-options.js';
import { promptsOf, type ServedPrompt } from './prompts.js';

const {
  print: _print,
  'output-format': _output,
  'input-format': _input,
  'include-hook-events': _hooks,
  'include-partial-messages': _partial,
  'init-only': _only,
  agent: _agent,
  ...SHARED_OPTIONS
} = RUN_OPTIONS;

const SERVE_OPTIONS = {
  ...PAGE_OPTIONS,
  recording: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'Also list the fires of an earlier session, from a recording or an export of the page.',
  },
  ...SHARED_OPTIONS,
} as const satisfies Options;

const EXAMPLES = ['List the files of this folder.'];

const LEASE_MS = 24 * 60 * 60 * 1000;

/** Options that only exist for headless runs. */
const NOT_GIVEN = {
  print: false,
  'output-format': undefined,
  'input-format': undefined,
  'include-hook-events': false,
  'include-partial-messages': false,
  'init-only': false,
  agent: undefined,
} as const;

export const command = defineCommand({
  usage: 'serve [prompt] [options]',
  about:
    'Runs an agent in this folder as `run` does, and shows it on a web page: every hook as it runs, tools and texts, permission\nquestions, messages queued for the agent, and a box to write to it. A message sent while the agent works reaches it during the\nrun; otherwise it is the next prompt. The page is served on this machine only, and only to those who have its address.',
  args: [0, 1],
  options: SERVE_OPTIONS,
  examples: [
    ['hookline serve --open', 'open the page in a browser and wait for prompts'],
    ['hookline serve "Fix the failing test" --port 4100', 'start with a task, on a fixed port'],
    ['hookline serve "Say hi" --script turns.yaml', 'rehearse with a script'],
    ['hookline serve --recording fires.jsonl', 'look at an earlier session'],
  ],
  exits: [
    [EXIT.usage, 'wrong usage: an unknown option, a port in use, no model'],
    [
      EXIT.config,
      'a guard, a deny or ask rule, or a settings file of the user, the administrator or a folder that you have approved cannot be read, so nothing was started',
    ],
    [EXIT.interrupted, 'stopped by Ctrl-C, the normal way to end'],
  ],
  run: (call) => serve(call),
});

async function serve({ args: [prompt], options, io, cwd }: Call<typeof SERVE_OPTIONS>): Promise<number> {
  // A lease cannot be lost within one process, and hooks may take long to handle a prompt.
  const mailbox = createMailbox({ agents: [MAIN_AGENT], leaseMs: LEASE_MS });
  const human = createHumanInput({ mailbox });
  // The model is known later than the page.
  const examples: string[] = [];
  const live = await startLiveView({
    port: portOf(options.port),
    mailbox,
    human,
    title: `hookline · ${cwd}`,
    cwd,
    examples,
  });
  try {
    const notices: string[] = [];
    const note = (text: string): void => {
      notices.push(text);
      io.printer.note(text);
    };
    for (const name of options.recording) {
      const problems = await live.showRecording(resolve(cwd, name));
      for (const { line, message } of problems) note(`${name}:${line}: ${message}`);
    }
    const context = { mailbox, canUseTool: live.canUseTool() };
    const prepared = await prepare({ ...NOT_GIVEN, ...options }, cwd, note, io.signal, {
      ...context,
      confirm: io.confirm,
    });
    examples.push(...(prepared.modelName() === EMBEDDED ? EMBEDDED_EXAMPLES : EXAMPLES));
    if (notices.length > 0) live.watch(noticesOf(notices), { agentId: MAIN_AGENT });
    if (options.open) await openBrowser(live.invite(), note);
    io.printer.line(live.url);
    await work(prepared, live, promptsOf(prompt, mailbox, io.signal), io);
    return EXIT.interrupted;
  } finally {
    await live.close();
    await mailbox.close();
  }
}

/** Works on prompts until the user interrupts. */
async function work(
  { loop, runner, close }: Prepared,
  live: LiveView,
  prompts: AsyncIterable<ServedPrompt>,
  { printer, signal }: Io,
): Promise<void> {
  const output = createOutput('text', false, printer);
  live.watch(runner);
  try {
    for await (const prompt of prompts) {
      const run = live.follow(startRun(loop, prompt.text, signal));
      for (let step = await run.next(); ; step = await run.next()) {
        if (!step.done) {
          await prompt.onMessage(step.value);
          continue;
        }
        await prompt.onEnd(step.value);
        if (!signal.aborted) output.end(step.value);
        break;
      }
    }
  } finally {
    await loop.close();
    await close();
  }
}
