/** `hookline samples`: sample inputs, as a hook reads them on stdin. */

import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { ALL_EVENTS } from '../../events/registry.js';
import { sampleInput } from '../../testing/samples.js';
import { defineCommand } from '../command.js';
import { INPUT_OPTIONS, readEvent, readInput } from '../hooks/input.js';

export const command = defineCommand({
  usage: 'samples [Event] [options]',
  about: 'Prints the sample input of an event, as a hook reads it on stdin; without an event, those of all.',
  args: [0, 1],
  options: { ...INPUT_OPTIONS },
  exits: EXIT_CODES.filter(([code]) => code === EXIT.ok || code >= EXIT.usage),
  examples: [
    ['hookline samples PreToolUse | ./guard.sh', 'try out a script by hand'],
    ['hookline samples PreToolUse --set tool_name=Write > call.json', 'a start for an input of your own'],
  ],
  async run({ args, options, io, cwd }) {
    if (args[0] === undefined) {
      io.printer.json(Object.fromEntries(ALL_EVENTS.map((event) => [event, sampleInput(event, cwd)])));
    } else {
      io.printer.json(await readInput(readEvent(args[0]), options, cwd, io));
    }
    return EXIT.ok;
  },
});
