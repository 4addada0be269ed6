/**
 * Starts a child with execa: everything off the hot path, and on Windows command hooks too, because Node alone supports
 * no shebangs, no PATHEXT and no `.cmd` files as programs there. Only the spawn itself is used: timeouts, output and
 * termination are handled elsewhere.
 */

import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Launch, startOf, withShellLevel } from './launch.js';
import { platform } from './platform.js';

type Execa = typeof import('execa').execa;

let loading: Promise<Launch> | undefined;

/**
 * Loaded with the first process that needs it: loading takes as long as most of this package. Always by `import`:
 * TypeScript loaders and bundlers do not resolve a `require` of an ES module.
 */
export function loadExecaLaunch(): Promise<Launch> {
  loading ??= import('execa').then(({ execa }) => launchWith(execa));
  return loading;
}

const launchWith =
  (execa: Execa): Launch =>
  (request, onFailure) => {
    let failed = false;
    const fail = (error: Error): void => {
      if (failed) return;
      failed = true;
      onFailure(error);
    };
    const start = startOf(request);
    // Out of file descriptors, execa throws a TypeError before it listens for the child's 'error' event, which then
    // crashes this process as an uncaught exception. So the listener is attached when the child is created.
    const listen = (message: unknown): void => {
      const { process: created } = message as { process: ChildProcess };
      created.on('error', (error) => created.pid === undefined && fail(error));
    };
    subscribe('child_process', listen);
    try {
      const child = execa(start.file, start.args, {
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
        // Some errors (E2BIG) arrive only through the promise, others also as an earlier event.
        void child.then((result) =>
          fail(result.cause instanceof Error ? result.cause : new Error(result.shortMessage)),
        );
        return undefined;
      }
      // With `reject: false` it rejects only because of a bug in execa; even that must not reach the application.
      child.catch(() => {});
      return child as typeof child & { pid: number };
    } catch (error) {
      setImmediate(fail, error as Error);
      return undefined;
    } finally {
      unsubscribe('child_process', listen);
    }
  };
