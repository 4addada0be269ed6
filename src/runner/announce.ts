/** Emits the messages about a hook's run. Only called while there is a listener or watcher. */
import { randomUUID, type UUID } from 'node:crypto';
import { createIdSequence } from '../base/id-sequence.js';
import type { Completion } from '../handlers/completion.js';
import type { Fire } from './fast/fire.js';
import type { HookMessage, HookProgressMessage } from './messages/hook-messages.js';
import type { HookResult } from './outcome.js';

/**
 * A random UUID whose last two digits count up; a new one is drawn when they wrap. Drawing one for each message is
 * slow.
 */
const nextUuid = createIdSequence(() => randomUUID().slice(0, -2)) as () => UUID;

export function announceStart(fire: Fire, hookId: string, name: string): void {
  send(fire, {
    type: 'system',
    subtype: 'hook_started',
    hook_id: hookId,
    hook_name: name,
    hook_event: fire.event,
    uuid: nextUuid(),
    session_id: sessionOf(fire),
  });
}

export function announceProgress(
  fire: Fire,
  hookId: string,
  name: string,
  stdout: string,
  stderr: string,
): void {
  sendProgress(fire, hookId, name, { stdout, stderr, output: stdout + stderr });
}

/** The hook has printed nothing: its status message is only for people, in the field that is shown to them. */
export function announceStatus(fire: Fire, hookId: string, name: string, status: string): void {
  sendProgress(fire, hookId, name, { stdout: '', stderr: '', output: status });
}

function sendProgress(
  fire: Fire,
  hookId: string,
  name: string,
  printed: Pick<HookProgressMessage, 'stdout' | 'stderr' | 'output'>,
): void {
  send(fire, {
    type: 'system',
    subtype: 'hook_progress',
    hook_id: hookId,
    hook_name: name,
    hook_event: fire.event,
    ...printed,
    uuid: nextUuid(),
    session_id: sessionOf(fire),
  });
}

export function announceEnd(fire: Fire, result: HookResult, completion: Completion): void {
  const { hookId, name, outcome, exitCode } = result;
  const stdout = result.stdout ?? '';
  const stderr = result.stderr ?? (completion.kind === 'exited' ? '' : (result.failure?.message ?? ''));
  const message: HookMessage = {
    type: 'system',
    subtype: 'hook_response',
    hook_id: hookId,
    hook_name: name,
    hook_event: fire.event,
    output: stdout + stderr,
    stdout,
    stderr,
    outcome,
    uuid: nextUuid(),
    session_id: sessionOf(fire),
  };
  if (exitCode !== undefined) message.exit_code = exitCode;
  send(fire, message, result);
}

function sessionOf({ input }: Fire): string {
  return input['session_id'] as string;
}

function send({ host }: Fire, message: HookMessage, result?: HookResult): void {
  host.messages.emit(message, result);
}
