/** The interface for starting a child, and what all implementations share. */

import type { Readable, Writable } from 'node:stream';
import { platform, type ShellStart } from './platform.js';
import type { ProcessRequest } from './types.js';

export interface LaunchedChild {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown;
  unref(): void;
}

/** Returns the child, or undefined and then calls `onFailure` once, later. */
export type Launch = (
  request: ProcessRequest,
  onFailure: (error: Error) => void,
) => LaunchedChild | undefined;

export function startOf({ command, args, shell }: ProcessRequest): ShellStart {
  return args ? { file: command, args } : platform.shellStart(command, shell);
}

/**
 * Node's pipes are sockets. A bash whose input is a socket, without a parent shell, assumes a remote login and runs
 * ~/.bashrc, including its output; with SHLVL set it does not.
 */
export function withShellLevel(env: ProcessRequest['env']): ProcessRequest['env'] {
  return Number(env['SHLVL']) >= 1 ? env : { ...env, SHLVL: '1' };
}
