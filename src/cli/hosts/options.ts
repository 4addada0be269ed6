/** The options that the commands for other hosts share. */
import { HookError } from '../../base/errors.js';
import type { Host } from '../../dialects/host/host.js';
import { HOSTS, hostsNamed } from '../../dialects/hosts.js';
import type { Scope } from '../../hosts/install/place.js';
import type { Options } from '../command.js';
import type { Io } from '../io.js';

export const HOST_OPTION = {
  type: 'string',
  multiple: true,
  value: 'NAME',
  help: `The host: ${HOSTS.map(({ name }) => name).join(', ')}; or all, which are those that were tried.`,
} as const;

export const SCOPE_OPTIONS = {
  user: { type: 'boolean', help: 'For this user, in every folder.' },
  project: { type: 'boolean', help: 'For this folder (default).' },
} as const satisfies Options;

/** Throws a HookError for an unknown host, and if none is named. */
export function chosenHosts(names: readonly string[], what: string): readonly Host[] {
  if (names.length === 0) {
    const known = HOSTS.map(({ name }) => name).join(', ');
    throw new HookError('invalid_option', `${what} needs --host NAME: ${known}, or all.`);
  }
  return hostsNamed(names);
}

export function chosenScope({ user, project }: { readonly user: boolean; readonly project: boolean }): Scope {
  if (user && project) throw new HookError('invalid_option', 'Give --user or --project, not both.');
  return user ? 'user' : 'project';
}

/** A file that cannot be edited does not keep the other hosts from their turn. True if there was one. */
export async function forEachHost(
  hosts: readonly Host[],
  { printer }: Io,
  work: (host: Host) => Promise<void>,
): Promise<boolean> {
  let failed = false;
  for (const host of hosts) {
    try {
      await work(host);
    } catch (error) {
      if (!(error instanceof HookError)) throw error;
      printer.note(`${host.title}: ${error.message}`);
      failed = true;
    }
  }
  return failed;
}
