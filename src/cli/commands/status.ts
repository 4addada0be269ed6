/** `hookline status`: which hosts obey our hooks, and whether the entries are intact. */
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { HOSTS, hostNamed, hostsNamed } from '../../dialects/hosts.js';
import { tryCanary } from '../../hosts/install/canary.js';
import {
  type HostStatus,
  isDamaged,
  isGuarded,
  type ScopeStatus,
  statusOf,
  turnedOffText,
} from '../../hosts/install/status.js';
import { defineCommand } from '../command.js';
import { type FolderStatus, folderStatus } from '../hosts/folder-status.js';
import { HOST_OPTION } from '../hosts/options.js';
import { reportFolder } from '../hosts/report-folder.js';
import type { Printer } from '../printer.js';

export const command = defineCommand({
  usage: 'status [options]',
  about:
    'Shows for every host on this machine which of its events are guarded, whether the entries are intact and can start, why the\nhost may skip them, and what it cannot do; and whether the hooks of this folder are there and approved. Runs nothing, unless\n--canary is given: the entries may come with the folder.',
  args: [0, 0],
  options: {
    host: HOST_OPTION,
    canary: { type: 'boolean', help: 'Call each installed entry with a call that must be refused.' },
    json: { type: 'boolean', help: 'Print the status as JSON.' },
  },
  exits: [
    [EXIT.ok, 'at least one host is guarded, and every entry that is installed works, as far as can be seen'],
    [
      EXIT.failed,
      'nothing is installed; an entry is changed, cannot start, or is skipped or switched off by its host; or the entries of a project have no hooks, or broken ones',
    ],
    ...EXIT_CODES.filter(([code]) => code >= EXIT.usage),
  ],
  examples: [
    ['hookline status', 'the hosts of this machine'],
    ['hookline status --canary', 'also whether the entries refuse'],
    ['hookline status --json', 'for programs'],
  ],
  async run({ options, io, cwd }) {
    const all = await Promise.all(
      hostsNamed(options.host.length === 0 ? names() : options.host).map((host) => statusOf(host, cwd)),
    );
    const shown = options.host.length > 0 ? all : all.filter(isHere);
    const claude = shown.some(({ scopes }) => scopes.some((scope) => scope.claude));
    const folder = await folderStatus(cwd, claude, io);
    const proved = options.canary ? await Promise.all(shown.map((status) => withCanary(status, cwd))) : shown;
    const problem = problemOf(proved, folder);
    await reportFolder(cwd, io);
    if (options.json) io.printer.json({ hosts: proved, folder, guarded: problem === null, problem });
    else {
      for (const status of proved) show(status, io.printer);
      if (proved.some(isInstalled) && folder.message !== problem) io.printer.line(folder.message);
      if (problem !== null) io.printer.line(problem);
    }
    return problem === null ? EXIT.ok : EXIT.failed;
  },
});

/** Why not every host that should be is guarded, and what to do; null: all is well. */
function problemOf(hosts: readonly HostStatus[], folder: FolderStatus): string | null {
  if (!hosts.some(isInstalled))
    return `Nothing is installed${hosts.length === 0 ? ', and no other host was found on this machine' : ''}: no host is guarded. Run hookline install --host NAME, or --host all.`;
  const off = hosts.flatMap(({ title, scopes }) =>
    scopes.flatMap(({ switchedOff }) => switchedOff.map((each) => turnedOffText(title, each))),
  );
  if (off.length > 0) return `Not guarded as installed. ${[...new Set(off)].join(' ')}`;
  const damaged = hosts.filter(isDamaged).map(({ title }) => title);
  if (damaged.length > 0)
    return `Not guarded as installed: ${damaged.join(', ')}. The lines above say why; hookline install repairs entries.`;
  const ofProject = hosts.some(({ scopes }) =>
    scopes.some(({ scope, state }) => scope === 'project' && state !== 'absent'),
  );
  if (ofProject && folder.state === 'none')
    return 'Entries of this project call hookline, and it has no hooks: every tool is refused. Restore hookline.yaml, or run hookline uninstall.';
  if (folder.state === 'removed' || (ofProject && folder.state === 'broken')) return folder.message;
  return hosts.some(isGuarded) ? null : 'No host is guarded.';
}

/** An entry that does not refuse is as good as none. */
async function withCanary(status: HostStatus, cwd: string): Promise<HostStatus> {
  const scopes = await Promise.all(
    status.scopes.map(async (scope) => {
      if (scope.state === 'absent' || scope.state === 'unreadable') return scope;
      const { refused, problem } = await tryCanary(hostNamed(status.host), scope.scope, cwd);
      return refused ? scope : { ...scope, broken: `a call that must be refused was not: ${problem}` };
    }),
  );
  return { ...status, scopes };
}

const names = (): readonly string[] => HOSTS.map(({ name }) => name);

const isInstalled = ({ scopes }: HostStatus): boolean => scopes.some(({ state }) => state !== 'absent');
const isHere = (status: HostStatus): boolean => status.found || isInstalled(status);

function show(
  { title, verified, scopes, trust, unguarded, cannot, found }: HostStatus,
  printer: Printer,
): void {
  const { paint } = printer;
  const known = verified === null ? 'not tried, known from its documentation' : `tried with ${verified}`;
  printer.line(`${paint.bold(title)} (${known}${found ? '' : '; not found on this machine'})`);
  const installed = scopes.filter(({ state }) => state !== 'absent');
  if (installed.length === 0) printer.line('  not installed');
  for (const scope of installed) {
    printer.line(`  ${scopeLine(scope, printer)}`);
    if (scope.broken !== null) printer.line(`  ${paint.red('does not work')}: ${scope.broken}`);
    if (scope.approved) printer.line(`  approved by ${title}`);
    if (scope.skipped.length > 0)
      printer.line(`  ${paint.red('skipped')} by ${title}, not approved there: ${scope.skipped.join(', ')}`);
    for (const off of scope.switchedOff)
      printer.line(`  ${paint.red('switched off')}: ${turnedOffText(title, off)}`);
  }
  if (installed.length > 1) printer.line('  Hooks run twice: uninstall one of the two.');
  const open = installed.some(({ approved }) => approved !== true);
  if (open && trust !== null) printer.line(`  ${trust}`);
  if (unguarded.length > 0) printer.line(paint.dim(`  Never guarded: ${unguarded.join(', ')}.`));
  for (const sentence of cannot) printer.line(paint.dim(`  ${sentence}`));
}

function scopeLine({ scope, state, file, guarded, missing }: ScopeStatus, { paint }: Printer): string {
  const word = state === 'intact' ? paint.green(state) : paint.red(state);
  const lost =
    missing.length === 0 ? '' : `; missing or changed: ${missing.join(', ')}. Run hookline install again`;
  return `${scope}: ${word} in ${file}; guards ${guarded.join(', ') || 'nothing'}${lost}`;
}
