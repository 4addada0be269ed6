/** `hookline doctor`: what a user of Claude Code has here and at home, what of it runs, and what to do. */
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { knownTools } from '../check/tools.js';
import { defineCommand } from '../command.js';
import { examine } from '../doctor/examine.js';
import { showReport } from '../doctor/report.js';
import { disposeHooks, HOOK_OPTIONS, loadHooks } from '../hooks/load.js';

export const command = defineCommand({
  usage: 'doctor [options]',
  about:
    'Shows what Claude Code has in this folder and in your home: settings, plugins, agents, skills and commands; which of\ntheir hooks run in `hookline run`, which never match or fail open, and what to do. Runs nothing.',
  args: [0, 0],
  options: { json: { type: 'boolean', help: 'Print the report as JSON.' }, ...HOOK_OPTIONS },
  exits: [
    [EXIT.ok, 'every hook that is found and enabled runs'],
    [EXIT.failed, 'a hook does not run, or something is broken; the report says what to do'],
    ...EXIT_CODES.filter(([code]) => code >= EXIT.usage),
  ],
  examples: [
    ['hookline doctor', 'at a glance'],
    ['hookline doctor --json', 'for programs'],
  ],
  async run({ options, io, cwd }) {
    // A report fires nothing, so stubs replace the services of an agent.
    const brought = { model: { complete: never }, mcp: { callTool: never } };
    const hooks = await loadHooks(cwd, options, brought);
    try {
      const report = await examine(hooks, options, knownTools([]), io);
      if (options.json) io.printer.json(report);
      else showReport(report, io.printer);
      const fine = report.hooks.every(({ state }) => state === 'runs' || state === 'disabled');
      const broken = [...report.settings, ...report.plugins].some(({ state }) => state === 'broken');
      return fine && !broken ? EXIT.ok : EXIT.failed;
    } finally {
      await disposeHooks(hooks);
    }
  },
});

function never(): Promise<never> {
  return Promise.reject(new Error('a report fires nothing'));
}
