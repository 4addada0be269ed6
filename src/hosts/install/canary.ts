/** Proves an installed entry: calls it as the host would, with a call that must be refused. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { beforeToolOf } from '../../dialects/host/events.js';
import type { Host } from '../../dialects/host/host.js';
import { spellingFor, toHost } from '../../dialects/host/translate.js';
import type { AnyEvent } from '../../events/types.js';
import { CANARY_TOOL } from '../canary-tool.js';
import { readInstallation } from './installation.js';
import type { Scope } from './place.js';

export interface CanaryResult {
  readonly refused: boolean;
  /** What was seen instead. */
  readonly problem?: string;
}

/** An entry that does not answer by then does not work. */
const MAX_WAIT_MS = 60_000;

export async function tryCanary(host: Host, scope: Scope, cwd: string): Promise<CanaryResult> {
  const event = beforeToolOf(host)?.event as AnyEvent;
  const spelling = spellingFor(host, event, CANARY_TOOL) ?? spellingFor(host, event, 'Bash');
  const own = spelling?.events[event];
  if (spelling === undefined || own === undefined)
    return { refused: false, problem: 'the host has no event before a tool' };
  const call =
    spelling.covers === undefined
      ? { tool_name: CANARY_TOOL, tool_input: {} }
      : { tool_name: 'Bash', tool_input: { command: CANARY_TOOL } };
  const found = await readInstallation(host, scope, cwd);
  const [program, ...args] = (found === 'unreadable' ? undefined : found.startOf(own.name)) ?? [];
  if (program === undefined) return { refused: false, problem: `the file has no entry for ${own.name}` };
  const input = {
    session_id: 'hookline-canary',
    cwd,
    hook_event_name: own.name,
    ...call,
    tool_use_id: 'hookline-canary',
  };
  const child = spawn(program, args, {
    cwd,
    timeout: MAX_WAIT_MS,
    env: { ...process.env, ...host.environment(cwd, 'hookline-canary') },
  });
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(toHost(spelling, event, input)));
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
    // It is no program, or may not be started.
    child.on('error', () => resolve(null));
  });
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const exit = {
    kind: 'exited',
    exitCode: exitCode ?? undefined,
    signal: undefined,
    stdout,
    stderr,
  } as const;
  const { refuse } = spelling.read(exit, { event, own, input });
  // The line also refuses when hookline cannot start: that is safe, but it is not installed.
  const byUs = refuse?.includes(CANARY_TOOL) === true;
  return byUs
    ? { refused: true }
    : { refused: false, problem: (stderr.trim() || stdout.trim() || `exit code ${exitCode}`).slice(0, 400) };
}
