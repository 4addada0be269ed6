/** `hookline record`: a hook that decides nothing and records its input. */
import { resolve } from 'node:path';
import { HookError, messageOf, show } from '../../base/errors.js';
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { readJsonObject } from '../../base/json/read-json.js';
import { openRecording, recordLine } from '../../testing/recording/recorder.js';
import { defineCommand } from '../command.js';

export const command = defineCommand({
  usage: 'record <file>',
  about:
    'Appends the input on stdin to a recording. Add it to a settings file as a hook for every event to record a session of any\nagent that runs hooks. It decides nothing. In TypeScript, wrap the runner with recordFires instead, which\nrecords outcomes too. The file holds what tools read and write; only you can read it.',
  args: [1, 1],
  options: {},
  exits: EXIT_CODES.filter(([code]) => code === EXIT.ok || code >= EXIT.usage),
  examples: [
    [
      `{ "type": "command", "command": "hookline record \\"$CLAUDE_PROJECT_DIR\\"/session.jsonl" }`,
      'as a hook in a settings file',
    ],
    ['hookline samples PreToolUse | hookline record session.jsonl', 'by hand'],
  ],
  async run({ args: [name = ''], io, cwd }) {
    const text = await io.readStdin();
    const read = readJsonObject(text);
    if (!read.ok) {
      const problem = text.trim() === '' ? 'it is empty' : read.problem.replace(/^the output/, 'it');
      throw new HookError('invalid_input', `Standard input is not the input of a hook: ${problem}.`);
    }
    const event = read.value['hook_event_name'];
    if (typeof event !== 'string') {
      throw new HookError(
        'invalid_input',
        'The input has no `hook_event_name`, so it could not be replayed.',
      );
    }
    const fire = { version: 1, at: new Date().toISOString(), event, input: { ...read.value } } as const;
    try {
      const handle = await openRecording(resolve(cwd, name));
      await handle.appendFile(recordLine(fire)).finally(() => handle.close());
    } catch (error) {
      throw new HookError(
        'invalid_option',
        `The recording ${show(name)} cannot be written: ${messageOf(error)}.`,
      );
    }
    return EXIT.ok;
  },
});
