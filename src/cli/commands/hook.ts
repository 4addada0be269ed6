/** `hookline hook`: what another host calls as its hook. */
import { resolve } from 'node:path';
import { HookError, messageOf, show } from '../../base/errors.js';
import { EXIT } from '../../base/exit-codes.js';
import { hostNamed } from '../../dialects/hosts.js';
import { answerHost, type BridgeAnswer } from '../../hosts/bridge.js';
import type { Runner } from '../../runner/runner.js';
import { recordFires } from '../../testing/recording/recorder.js';
import { defineCommand } from '../command.js';
import type { CallOptions } from '../hosts/fire-call.js';
import { callHooks } from '../hosts/fire-folders.js';
import { keepStdout } from '../hosts/keep-stdout.js';
import type { Io } from '../io.js';

export const command = defineCommand({
  usage: 'hook --host <name> [options]',
  about:
    "What another host calls as its hook: reads the host's event on stdin, fires the hooks of hookline.yaml in the folder of the process\nand in the folder that the event names, and answers in the host's words with its exit code. `hookline install` writes this line into the host's configuration.\nWhatever goes wrong is a refusal, where the event can refuse; stderr says why. stdout has the answer and nothing else.",
  args: [0, 0],
  options: {
    host: { type: 'string', value: 'NAME', help: 'The host that calls: gemini, codex, qwen, copilot, …' },
    event: {
      type: 'string',
      value: 'NAME',
      help: "The host's name of the event, if its input does not say it.",
    },
    claude: { type: 'boolean', help: 'Also the hooks of Claude settings.' },
    deadline: { type: 'string', value: 'SECONDS', help: 'Refuse if the hooks are not done by then.' },
    require: {
      type: 'string',
      value: 'FOLDER',
      help: 'The entry is of this folder of the repository: refuse if it has no hooks.',
    },
    record: { type: 'string', value: 'FILE', help: 'Append the fire to a recording, see replay.' },
    'no-user': { type: 'boolean', help: "Leave out the user's own hooks." },
  },
  exits: [
    [EXIT.ok, 'the answer is on stdout; nothing on stdout means that no hook has an opinion'],
    [EXIT.refused, 'refused, for hosts that read the exit code, and for input whose event is unknown'],
  ],
  examples: [
    ['hookline hook --host gemini', "as a hook in Gemini CLI's settings"],
    ['hookline hook --host copilot --event preToolUse', 'where the input does not name the event'],
  ],
  async run({ options, io, cwd }) {
    // What a hook prints in this process would make the answer unreadable.
    const release = keepStdout();
    const answer = await answered(options, io, cwd).finally(release);
    for (const line of answer.stderr) io.printer.note(line);
    // Not through the printer: a host parses these bytes.
    if (answer.stdout !== '') io.printer.raw(answer.stdout);
    return answer.exit;
  },
});

interface HookOptions {
  readonly host: string | undefined;
  readonly event: string | undefined;
  readonly claude: boolean;
  readonly deadline: string | undefined;
  readonly require: string | undefined;
  readonly record: string | undefined;
  readonly 'no-user': boolean;
}

/** A mistake in the command line is a refusal too: the host only sees that the hook did not refuse. */
async function answered(options: HookOptions, io: Io, cwd: string): Promise<BridgeAnswer> {
  // When the answer is given, nothing of a hook that is not done stays behind.
  const over = new AbortController();
  try {
    if (options.host === undefined) throw new HookError('invalid_option', 'hook needs --host NAME.');
    const host = hostNamed(options.host);
    const { deadline, record } = options;
    const seconds = deadline === undefined ? undefined : Number(deadline);
    if (seconds !== undefined && !(seconds > 0))
      throw new HookError('invalid_option', `--deadline is ${show(deadline)}; give seconds.`);
    const call: CallOptions = {
      host,
      claude: options.claude,
      user: !options['no-user'],
      signal: AbortSignal.any([io.signal, over.signal]),
      ...(record !== undefined && { through: recording(resolve(cwd, record)) }),
    };
    const place = { host, cwd, claude: options.claude, required: options.require };
    // Reading the input and the files takes time: both begin at once.
    const text = io.readStdin();
    const hooks = callHooks(place, call, cwd === io.cwd ? undefined : cwd);
    return await answerHost({
      host,
      text,
      event: options.event,
      deadlineMs: seconds === undefined ? undefined : seconds * 1000,
      ...hooks,
    });
  } catch (error) {
    return { stdout: '', stderr: [`Refused by hookline: ${messageOf(error)}`], exit: EXIT.refused };
  } finally {
    over.abort();
  }
}

function recording(file: string): NonNullable<CallOptions['through']> {
  return (runner: Runner) => {
    const recorder = recordFires(runner, file, { onError: () => {} });
    return { runner: recorder as unknown as Runner, close: () => recorder.close() };
  };
}
