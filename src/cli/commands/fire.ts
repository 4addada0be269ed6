/** `hookline fire`: fires one event at the real hooks of a folder. */
import { resolve } from 'node:path';
import { EXIT_CODES } from '../../base/exit-codes.js';
import { recordFires } from '../../testing/recording/recorder.js';
import { verdictOf } from '../../testing/verdict.js';
import { reportIncomplete } from '../check/broken.js';
import { hintParentConfig } from '../check/parent-config-hint.js';
import { defineCommand } from '../command.js';
import { missingHooks } from '../hooks/completeness.js';
import { fireJson } from '../hooks/fire-json.js';
import { inactiveHooks } from '../hooks/inactive.js';
import { INPUT_OPTIONS, readEvent, readInput } from '../hooks/input.js';
import { HOOK_OPTIONS, loadHooks } from '../hooks/load.js';
import { openSession } from '../hooks/session.js';
import { showFire } from '../hooks/show-fire.js';

export const command = defineCommand({
  usage: 'fire <Event> [options]',
  about:
    'Fires one event at the hooks of this folder, with a sample input for that event, and shows what each hook did\nand the outcome. The hooks really run. While hooks of this folder are not approved, or cannot be read, the result is\nincomplete and the exit code 1, unless a hook refuses; --trust-workspace runs them for this call.',
  args: [1, 1],
  options: {
    ...INPUT_OPTIONS,
    agent: {
      type: 'string',
      value: 'ID',
      help: 'Fire as this agent: its own hooks run in addition to the global ones.',
    },
    json: { type: 'boolean', help: 'Print the outcome as JSON.' },
    full: { type: 'boolean', help: 'Show the full output of the hooks.' },
    record: { type: 'string', value: 'FILE', help: 'Append the fire to a recording, see replay.' },
    ...HOOK_OPTIONS,
  },
  exits: EXIT_CODES,
  examples: [
    ['hookline fire PreToolUse', 'with the sample input: a Bash call'],
    [
      `hookline fire PreToolUse --set tool_name=Write --set tool_input.file_path=.env`,
      'another tool, another input',
    ],
    [`hookline fire Stop --set stop_hook_active=true`, 'values that are valid JSON are parsed'],
    ['hookline fire PostToolUse --input call.json --json', 'an input of your own, the outcome for programs'],
  ],
  async run({ args, options, io, cwd }) {
    const event = readEvent(args[0]);
    const input = await readInput(event, options, cwd, io);
    const hooks = await loadHooks(cwd, options);
    reportIncomplete(hooks, io, event);
    const missing = missingHooks(hooks, event);
    await hintParentConfig(hooks, (text) => io.printer.note(text));
    const session = openSession(hooks, io);
    const recorder =
      options.record === undefined ? undefined : recordFires(session.runner, resolve(cwd, options.record));
    try {
      const fired = await session.fire({ event, input, agentId: options.agent }, recorder);
      if (options.json) io.printer.json(fireJson(fired, inactiveHooks(hooks, event), missing));
      else await showFire(fired, io.printer, { cwd, full: options.full, missing: missing.reason });
      return verdictOf(fired.outcome, fired.lateFailures, missing.reason).exit;
    } finally {
      await session.close();
      await recorder?.close();
    }
  },
});
