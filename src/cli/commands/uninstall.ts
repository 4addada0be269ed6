/** `hookline uninstall`: removes what install wrote. */
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { changes, planUninstall } from '../../hosts/install/install.js';
import { restore } from '../../hosts/install/place.js';
import { defineCommand } from '../command.js';
import { chosenHosts, chosenScope, forEachHost, HOST_OPTION, SCOPE_OPTIONS } from '../hosts/options.js';
import { showChange } from '../hosts/show-change.js';

export const command = defineCommand({
  usage: 'uninstall --host <name> [options]',
  about:
    'Restores the file that `hookline install` wrote to, byte by byte. If it was changed since, only our entries are removed.',
  args: [0, 0],
  options: {
    host: HOST_OPTION,
    ...SCOPE_OPTIONS,
    'dry-run': { type: 'boolean', help: 'Only show the change.' },
    yes: { type: 'boolean', short: 'y', help: 'Do not ask.' },
  },
  exits: [
    [EXIT.ok, 'nothing of ours is left in the files'],
    [EXIT.failed, 'the change was declined'],
    ...EXIT_CODES.filter(([code]) => code >= EXIT.usage),
  ],
  examples: [['hookline uninstall --host all --user', "from all of the user's files"]],
  async run({ options, io, cwd }) {
    const scope = chosenScope(options);
    let exit: number = EXIT.ok;
    const failed = await forEachHost(chosenHosts(options.host, 'uninstall'), io, async (host) => {
      const change = await planUninstall(host, scope, cwd);
      if (!changes(change)) {
        io.printer.line(`${host.title}: nothing is installed in ${change.file}.`);
        return;
      }
      showChange(change, io.printer);
      if (options['dry-run']) return;
      if (!options.yes && (await io.confirm(`Write ${change.file}?`)) === false) exit = EXIT.failed;
      else await restore(change.file, change.after);
    });
    return failed ? EXIT.config : exit;
  },
});
