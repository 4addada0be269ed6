/** `hookline uninstall`: removes what install wrote. */
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import type { Host } from '../../dialects/host/host.js';
import { changes, placeOf, planUninstall } from '../../hosts/install/install.js';
import { restore, type Scope } from '../../hosts/install/place.js';
import { statusOf } from '../../hosts/install/status.js';
import { defineCommand } from '../command.js';
import { chosenHosts, chosenScope, forEachHost, HOST_OPTION, SCOPE_OPTIONS } from '../hosts/options.js';
import { showChange } from '../hosts/show-change.js';
import type { Io } from '../io.js';

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
      const planned = await planUninstall(host, scope, cwd);
      const needed = planned.filter(changes);
      if (needed.length === 0) io.printer.line(`${host.title}: nothing is installed in ${placeOf(planned)}.`);
      for (const change of needed) showChange(change, io.printer);
      if (needed.length > 0 && !options['dry-run']) {
        if (!options.yes && (await io.confirm(`Write ${placeOf(needed)}?`)) === false) exit = EXIT.failed;
        else for (const { file, after } of needed) await restore(file, after);
      }
      await nameOthers(host, scope, cwd, io);
    });
    return failed ? EXIT.config : exit;
  },
});

/** Entries for the other scope go on guarding, which may not be what was meant. */
async function nameOthers(host: Host, scope: Scope, cwd: string, { printer }: Io): Promise<void> {
  const { scopes } = await statusOf(host, cwd);
  for (const other of scopes.filter((each) => each.scope !== scope && each.state !== 'absent'))
    printer.note(
      `${host.title} still has entries for the ${other.scope} in ${other.file}. To remove them: hookline uninstall --host ${host.name} --${other.scope}`,
    );
}
