/** Reads one hook of a host's file: its command line, its timeout in the host's unit, its variables. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf, show } from '../../base/errors.js';
import type { JsonNode } from '../../config/json-file.js';
import type { Diagnostic, LoadedHook, Source } from '../../config/loaded.js';
import { preflightCommand } from '../../config/preflight/preflight-command.js';
import type { AnyEvent } from '../../events/types.js';
import { timeoutMs } from '../../handlers/common-options.js';
import type { CommandHook, PreparedHook } from '../../handlers/types.js';
import { isObject } from './answers.js';
import type { HookPlace, Host, Json } from './host.js';

export interface HookReading {
  readonly host: Host;
  readonly workspace: string;
  readonly ofWorkspace: boolean;
  readonly diagnostics: Diagnostic[];
  /** The command lines that a file has under a name for an event and a matcher. */
  readonly named: Map<string, string>;
  /** Where each hook stands, by its name in the switches of the host. */
  readonly places: Map<LoadedHook, HookPlace>;
  report(severity: Diagnostic['severity'], code: string, message: string, source: Source): void;
}

/** Stands for a hook that is only described. */
const NEVER: PreparedHook = {
  type: 'prepared',
  run: () => ({ kind: 'failed-to-start', message: 'it cannot be read' }),
};

/** `problem`: why it cannot be used, wherever it stands. */
export async function readHook(
  event: AnyEvent,
  node: JsonNode,
  reading: HookReading,
  problem?: string,
): Promise<LoadedHook> {
  const fields = isObject(node.value) ? node.value : {};
  try {
    if (problem !== undefined) throw new Error(problem);
    const hook = commandOf(fields, event, reading);
    await preflight(hook, node.source, reading);
    const { command, name } = hook;
    return {
      hook,
      description: command,
      source: node.source,
      // Whatever the host calls it, an approval covers the command.
      written: { ...fields, type: 'command', command },
      ...(reading.host.order === 'parallel' &&
        !reading.host.runsDuplicates && { key: `${name ?? ''}:${command}` }),
    };
  } catch (error) {
    const message = messageOf(error);
    reading.report(
      'error',
      'bad_hook',
      `A hook of ${event} cannot be used: ${message} It never runs.`,
      node.source,
    );
    const description = String(fields['command'] ?? fields['type'] ?? 'a hook');
    return {
      hook: NEVER,
      description,
      source: node.source,
      written: fields,
      inactive: { reason: 'broken', message },
    };
  }
}

/** Where a system has it. Elsewhere lines run in the shell that there is. */
const BASH = ['/bin/bash', '/usr/bin/bash'].find((file) => existsSync(file));

/** Throws for fields that cannot be used. */
function commandOf(
  fields: Json,
  event: AnyEvent,
  { host, workspace, ofWorkspace }: HookReading,
): CommandHook {
  const { type = host.types === undefined ? 'command' : undefined, name, env, cwd } = fields;
  if (type === undefined) throw new Error('it has no type. Write "type": "command".');
  if (!(host.types ?? ['command']).includes(String(type)))
    throw new Error(`its type is ${show(type)}; only commands run outside of ${host.title}.`);
  const inBackground = host.runsInBackground === true && fields['async'] === true;
  const canAnswer = host.spellings.some(({ events }) => (events[event]?.can.length ?? 0) > 0);
  const command = host.commandKeys.map((key) => fields[key]).find((line) => line !== undefined);
  if (typeof command !== 'string' || command.trim() === '')
    throw new Error(`it has no command line in ${host.commandKeys.map((key) => `\`${key}\``).join(' or ')}.`);
  const timeout = host.timeout.keys.map((key) => fields[key]).find((value) => value !== undefined);
  const seconds = timeout === undefined ? undefined : granted(host, event, timeout);
  if (seconds !== undefined) timeoutMs(seconds, 'hook');
  const own = isObject(env)
    ? Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)]))
    : {};
  return {
    type: 'command',
    command,
    ...(typeof name === 'string' && { name }),
    ...(host.usesBash && BASH !== undefined && { shell: BASH }),
    ...(seconds !== undefined && { timeout: seconds }),
    // A hook that can do nothing, as at the end of a session, is waited for.
    ...(inBackground && canAnswer && { async: true }),
    ...(typeof cwd === 'string' && { cwd: resolve(workspace, cwd) }),
    env: ofWorkspace ? { ...inWorkspace(host, workspace), ...own } : own,
    ...(ofWorkspace && {
      environment: 'scrub',
      cwd: resolve(workspace, typeof cwd === 'string' ? cwd : '.'),
    }),
  };
}

/** In seconds, within what the host grants. What is no number stays what it is, and is reported. */
function granted(host: Host, event: AnyEvent, written: unknown): number {
  const { unitMs, min = 0, max = Number.POSITIVE_INFINITY, inTexts } = host.timeout;
  const isText = inTexts && typeof written === 'string' && /^\d+$/.test(written);
  const timeout = isText ? Number(written) : written;
  const own = host.spellings.find(({ events }) => events[event] !== undefined)?.events[event];
  if (typeof timeout !== 'number') return timeout as number;
  return Math.max(min, Math.min(timeout * (unitMs / 1000), own?.timeout?.max ?? max));
}

/** Trust looks at the scripts of this folder, wherever the agent is. The session is known when a hook starts. */
function inWorkspace(host: Host, workspace: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(host.environment(workspace, '')).filter(([, value]) => value !== ''),
  );
}

async function preflight(
  { command, env, cwd, shell }: CommandHook,
  source: Source,
  reading: HookReading,
): Promise<void> {
  const { workspace, diagnostics } = reading;
  const request = { command, cwd: cwd ?? workspace, env: { ...process.env, ...env }, workspace };
  for (const problem of await preflightCommand({ ...request, args: undefined, shell }))
    diagnostics.push({ ...problem, source });
}
