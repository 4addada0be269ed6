/** `hookline install`: makes another host call the bridge. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { shellWord } from '../../base/text/shell-word.js';
import type { Host } from '../../dialects/host/host.js';
import { HOSTS } from '../../dialects/hosts.js';
import { tryCanary } from '../../hosts/install/canary.js';
import { type Change, changes, placeOf, planInstall } from '../../hosts/install/install.js';
import {
  installPlace,
  makeProgram,
  requiredFolder,
  type Scope,
  writeInstalled,
} from '../../hosts/install/place.js';
import { isFound, statusOf, turnedOffText } from '../../hosts/install/status.js';
import { defineCommand } from '../command.js';
import { withHooks } from '../hosts/call-folders.js';
import { chosenHosts, chosenScope, forEachHost, HOST_OPTION, SCOPE_OPTIONS } from '../hosts/options.js';
import { reportFolder } from '../hosts/report-folder.js';
import { showChange } from '../hosts/show-change.js';
import type { Io } from '../io.js';

export const command = defineCommand({
  usage: 'install --host <name> [options]',
  about:
    "Writes another host's own configuration, so that it calls `hookline hook` on every event: the hooks of hookline.yaml then\nguard that host too. Shows the change first, and keeps everything else in the file as it is, comments included. At the end\nit calls the installed entry with a call that must be refused. `hookline uninstall` restores the file.",
  args: [0, 0],
  options: {
    host: HOST_OPTION,
    ...SCOPE_OPTIONS,
    'dry-run': { type: 'boolean', help: 'Only show the change.' },
    yes: { type: 'boolean', short: 'y', help: 'Do not ask.' },
    claude: { type: 'boolean', help: 'The host is also to obey the hooks of Claude settings.' },
    command: {
      type: 'string',
      value: 'LINE',
      help: 'How the host starts hookline. Default: this installation.',
    },
  },
  exits: [
    [EXIT.ok, 'installed, and the entry refuses what it must refuse'],
    [EXIT.failed, 'the entry does not work, or the change was declined'],
    ...EXIT_CODES.filter(([code]) => code >= EXIT.usage),
  ],
  examples: [
    ['hookline install --host gemini', "Gemini CLI in this folder obeys this folder's hooks"],
    ['hookline install --host all --user', 'every host, in every folder of this user'],
    ['hookline install --host codex --dry-run', 'what would change'],
  ],
  async run({ options, io, cwd }) {
    const scope = chosenScope(options);
    const required = scope === 'project' ? requiredFolder(cwd) : undefined;
    const start = { line: options.command ?? startLine(scope, cwd), claude: options.claude, required };
    let exit: number = EXIT.ok;
    const failed = await forEachHost(chosenHosts(options.host, 'install'), io, async (host) => {
      const planned = await planInstall(host, scope, cwd, start);
      const done = await apply(host, scope, planned, options, io, cwd);
      if (!done) exit = EXIT.failed;
      if (host.trust !== undefined) io.printer.line(`  ${host.trust}`);
    });
    if (options.host.includes('all')) nameUntried(scope, io);
    await reportFolder(cwd, io);
    if (required !== undefined && withHooks(options, cwd) === undefined)
      io.printer.note(
        'This folder has no hooks yet, so its entries refuse every tool. Add some: hookline init, or hookline add.',
      );
    return failed ? EXIT.config : exit;
  },
});

/** Hosts on this machine that `all` leaves out, because they were not tried. */
function nameUntried(scope: Scope, { printer }: Io): void {
  for (const host of HOSTS.filter((each) => each.verified === null && isFound(each))) {
    const where = installPlace(host, scope) === undefined ? 'user' : scope;
    printer.note(
      `${host.title} is on this machine too. It was not tried, so it is not part of all; to add it: hookline install --host ${host.name} --${where}`,
    );
  }
}

/** The project's own installation if it has one: the file is shared with others. Otherwise this very program. */
function startLine(scope: Scope, cwd: string): string {
  if (scope === 'project' && existsSync(join(cwd, 'node_modules', '.bin', 'hookline')))
    return './node_modules/.bin/hookline';
  return [process.execPath, process.argv[1] ?? ''].map(shellWord).join(' ');
}

async function apply(
  host: Host,
  scope: Scope,
  planned: readonly Change[],
  options: { readonly 'dry-run': boolean; readonly yes: boolean },
  io: Io,
  cwd: string,
): Promise<boolean> {
  const { printer } = io;
  const place = placeOf(planned);
  const needed = planned.filter(changes);
  for (const change of needed) showChange(change, printer);
  if (needed.length === 0) printer.line(`${host.title}: ${place} has the entries already.`);
  if (options['dry-run']) return true;
  if (needed.length > 0 && !options.yes && (await io.confirm(`Write ${placeOf(needed)}?`)) === false)
    return false;
  for (const { file, before, after } of needed) await writeInstalled(file, before, after ?? '');
  // Also where the text is there already: a copy may have lost the mode.
  for (const { file, isProgram } of planned) if (isProgram) await makeProgram(file);
  const { scopes } = await statusOf(host, cwd);
  const own = scopes.find((each) => each.scope === scope);
  for (const off of own?.switchedOff ?? []) printer.note(turnedOffText(host.title, off));
  const other = scopes.find((each) => each.scope !== scope && each.state !== 'absent');
  if (other !== undefined)
    printer.note(
      `${host.title} also has entries for the ${other.scope} (${other.file}): hooks then run twice. Uninstall one.`,
    );
  const { refused, problem } = await tryCanary(host, scope, cwd);
  if (!refused) {
    printer.note(`${host.title}: the installed entry does not work: ${problem}`);
    return false;
  }
  printer.line(
    `${printer.paint.green(host.title)}: installed in ${place}; a call that must be refused was refused.`,
  );
  return true;
}
