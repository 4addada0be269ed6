/** `hookline status`: which hosts obey our hooks, and whether the entries are intact. */
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { HOSTS, hostsNamed } from '../../dialects/hosts.js';
import { type HostStatus, type ScopeStatus, statusOf } from '../../hosts/install/status.js';
import { defineCommand } from '../command.js';
import { HOST_OPTION } from '../hosts/options.js';
import type { Printer } from '../printer.js';

export const command = defineCommand({
  usage: 'status [options]',
  about:
    'Shows for every host on this machine which of its events are guarded, whether the entries are intact, why the host may\nskip them, and what it cannot do. Runs nothing.',
  args: [0, 0],
  options: {
    host: HOST_OPTION,
    json: { type: 'boolean', help: 'Print the status as JSON.' },
  },
  exits: [
    [EXIT.ok, 'every entry that is installed is intact, and the host is not known to skip it'],
    [EXIT.failed, 'an entry was changed, some are missing, or a host on this machine skips them'],
    ...EXIT_CODES.filter(([code]) => code >= EXIT.usage),
  ],
  examples: [
    ['hookline status', 'the hosts of this machine'],
    ['hookline status --json', 'for programs'],
  ],
  async run({ options, io, cwd }) {
    const all = await Promise.all(
      hostsNamed(options.host.length === 0 ? names() : options.host).map((host) => statusOf(host, cwd)),
    );
    const shown = options.host.length > 0 ? all : all.filter(isHere);
    if (options.json) io.printer.json({ hosts: shown });
    else {
      for (const status of shown) show(status, io.printer);
      if (shown.length === 0)
        io.printer.line('No other host was found on this machine. Name one with --host.');
    }
    // On a machine without the host, such as one for CI, nobody can approve anything.
    const damaged = shown.some(({ found, scopes }) =>
      scopes.some(
        ({ state, skipped }) =>
          state === 'changed' || state === 'unreadable' || (found && skipped.length > 0),
      ),
    );
    return damaged ? EXIT.failed : EXIT.ok;
  },
});

const names = (): readonly string[] => HOSTS.map(({ name }) => name);

const isHere = ({ found, scopes }: HostStatus): boolean =>
  found || scopes.some(({ state }) => state !== 'absent');

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
    if (scope.approved) printer.line(`  approved by ${title}`);
    if (scope.skipped.length > 0)
      printer.line(`  ${paint.red('skipped')} by ${title}, not approved there: ${scope.skipped.join(', ')}`);
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
