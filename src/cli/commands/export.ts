/** `hookline export`: the hooks of a folder as another host's own configuration. */
import { stringify } from 'smol-toml';
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { withoutStandIns } from '../../config/loaded.js';
import { exportHooks } from '../../hosts/export.js';
import { reportBroken } from '../check/broken.js';
import { defineCommand } from '../command.js';
import { missingHooks } from '../hooks/completeness.js';
import { disposeHooks, HOOK_OPTIONS, loadHooks } from '../hooks/load.js';
import { chosenHosts, HOST_OPTION } from '../hosts/options.js';

export const command = defineCommand({
  usage: 'export --host <name> [options]',
  about:
    "Prints the hooks of this folder as another host's own configuration, for hosts that are to work without hookline, and\nlists on stderr what cannot be expressed. Ready guards, and others made with `guard` of hookline/guard, answer in\nthe host's words. Other commands have to do so themselves: exit code 2 with a reason on stderr refuses everywhere. Prefer `hookline install`, which translates answers and keeps every promise.",
  args: [0, 0],
  options: {
    host: HOST_OPTION,
    json: {
      type: 'boolean',
      help: 'Print the configuration and what cannot be expressed as one JSON object.',
    },
    ...HOOK_OPTIONS,
  },
  exits: [
    [EXIT.ok, 'printed'],
    [EXIT.failed, 'printed, but a part of the hook files cannot be read, so hooks are missing'],
    ...EXIT_CODES.filter(([code]) => code >= EXIT.usage),
  ],
  examples: [['hookline export --host gemini', "as `hooks` of Gemini CLI's settings"]],
  async run({ options, io, cwd }) {
    const hooks = await loadHooks(cwd, options);
    try {
      for (const host of chosenHosts(options.host, 'export')) {
        const { config, cannot } = exportHooks(
          host,
          hooks.configs.flatMap(({ groups }) => withoutStandIns(groups)),
          cwd,
        );
        if (options.json) io.printer.record({ host: host.name, config, cannot });
        else {
          if (host.shape === 'list') io.printer.line(stringify(config).trimEnd());
          else io.printer.json(config);
          for (const sentence of cannot) io.printer.note(sentence);
        }
      }
      const broken = reportBroken(hooks, io);
      return broken.length + missingHooks(hooks).diagnostics.length > 0 ? EXIT.failed : EXIT.ok;
    } finally {
      await disposeHooks(hooks);
    }
  },
});
