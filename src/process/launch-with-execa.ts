/**
 * Starts a child with execa: everywhere what is not on a hot path, and command hooks too on systems on which Node's own
 * spawn does not find or start what people expect. Without it Windows knows no shebangs, no PATHEXT and no `.cmd` files as
 * programs. Stripped to the spawn itself: time, output and endings are not left to it.
 */

import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { type Launch, startOf, withShellLevel } from './launch.js';
import { platform } from './platform.js';

const require = createRequire(import.meta.url);

type Execa = typeof import('execa').execa;

/** Loaded with the first process that needs it: loading takes as long as most of this package. */
let loaded: Execa | undefined;

/** For those who can wait: it blocks nobody, and bundlers and loaders of TypeScript understand an import. */
export async function loadExeca(): Promise<void> {
  loaded ??= (await import('execa')).execa;
}

function requireExeca(): Execa {
  loaded ??= (require('execa') as typeof import('execa')).execa;
  return loaded;
}

export const launchWithExeca: Launch = (request, onFailure) => {
  let failed = false;
  const fail = (error: Error): void => {
    if (failed) return;
    failed = true;
    onFailure(error);
  };
  const start = startOf(request);
  // Out of file descriptors, execa throws a TypeError before it listens for the child's 'error' event, which then
  // ends this process as an uncaught exception. So the listener is put on the child in the moment it is created.
  const listen = (message: unknown): void => {
    const { process: created } = message as { process: ChildProcess };
    created.on('error', (error) => created.pid === undefined && fail(error));
  };
  subscribe('child_process', listen);
  try {
    const child = requireExeca()(start.file, start.args, {
      cwd: request.cwd,
      env: withShellLevel(request.env),
      extendEnv: false,
      ...(start.shell && { shell: start.shell }),
      detached: platform.ownGroup,
      cleanup: false,
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
      buffer: false,
      encoding: 'buffer',
      stripFinalNewline: false,
      reject: false,
      verbose: 'none',
    });
    const { pid } = child;
    if (pid === undefined) {
      // Some errors (E2BIG) come only through the promise, others also as an event, which is earlier.
      void child.then((result) =>
        fail(result.cause instanceof Error ? result.cause : new Error(result.shortMessage)),
      );
      return undefined;
    }
    // With `reject: false` it only rejects by a defect of execa's; even that is not to reach the application.
    child.catch(() => {});
    return child as typeof child & { pid: number };
  } catch (error) {
    setImmediate(fail, error as Error);
    return undefined;
  } finally {
    unsubscribe('child_process', listen);
  }
};
