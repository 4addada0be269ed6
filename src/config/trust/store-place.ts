/** Where approvals are stored, and why a place is unsuitable: nothing that a workspace controls may affect it. */
import { type BigIntStats, constants, type Stats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { isInside } from '../../base/files/inside.js';
import { problem, type TrustProblem } from './problem.js';

const OTHERS_WRITE = constants.S_IWGRP | constants.S_IWOTH;

/**
 * `trust.json` in `$HOOKLINE_HOME`, `$XDG_CONFIG_HOME/hookline` or `~/.config/hookline`, in this order. Throws if
 * it is the last one, and the user has no home.
 */
export function defaultTrustFile(
  env: Readonly<Record<string, string | undefined>> = process.env,
  home?: string,
): string {
  const own = env['HOOKLINE_HOME'];
  if (own) return join(own, 'trust.json');
  const config = env['XDG_CONFIG_HOME'];
  // According to the XDG specification, a relative path is invalid and must be ignored.
  return join(
    config && isAbsolute(config) ? config : join(home ?? homedir(), '.config'),
    'hookline',
    'trust.json',
  );
}

/** Checks only the location, not the content. `workspace` is its real path, or undefined if none is involved. */
export async function placeProblem(
  file: string,
  workspace: string | undefined,
): Promise<TrustProblem | undefined> {
  if (!isAbsolute(file)) {
    return problem(
      'store_path_relative',
      `The trust store is given as '${file}', so it would depend on the current directory. Give a full path (HOOKLINE_HOME).`,
    );
  }
  const real = await realPlace(file);
  if (workspace !== undefined && (isInside(real, workspace) || isInside(resolve(file), workspace))) {
    return problem(
      'store_in_workspace',
      `The trust store '${file}' is inside the workspace '${workspace}', which could then approve its own hooks. Set HOOKLINE_HOME to a directory outside it.`,
    );
  }
  return folderProblem(dirname(real));
}

async function folderProblem(folder: string): Promise<TrustProblem | undefined> {
  try {
    return ownershipProblem(await lstat(folder), `The directory '${folder}' of the trust store`, 'chmod 700');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return problem(
      'store_unreadable',
      `The directory of the trust store cannot be inspected: ${messageOf(thrown)}`,
    );
  }
}

/** Another user who can write to it could approve hooks in this user's name. */
export function ownershipProblem(
  stats: Pick<Stats, 'uid' | 'mode'> | Pick<BigIntStats, 'uid' | 'mode'>,
  what: string,
  advice: string,
  user = process.getuid?.(),
): TrustProblem | undefined {
  // Without users and modes (Windows), rely on the account's own directory.
  if (user === undefined) return undefined;
  if (Number(stats.uid) !== user) {
    return problem(
      'store_owned_by_others',
      `${what} belongs to user ${stats.uid}, not to user ${user} who runs this, so nothing in it counts. Set HOOKLINE_HOME to a directory of your own.`,
    );
  }
  if ((Number(stats.mode) & OTHERS_WRITE) !== 0) {
    const mode = (Number(stats.mode) & 0o777).toString(8);
    return problem(
      'store_writable_by_others',
      `${what} can be written by others (mode ${mode}), so nothing in it counts. Look through it, then run ${advice} on it.`,
    );
  }
  return undefined;
}

/** The real path of a file that may not exist yet: resolves the nearest existing directory. */
async function realPlace(file: string): Promise<string> {
  const folder = dirname(file);
  // The file itself is not resolved: opening it rejects a link.
  if (folder === file) return file;
  try {
    return join(await realpath(folder), basename(file));
  } catch {
    return join(await realPlace(folder), basename(file));
  }
}
