/** Tells those who watch what happens to a hook. Only called when somebody does. */
import { randomUUID } from 'node:crypto';
import type { Completion } from '../hooks/completion.js';
import type { Fire } from './execute.js';
import type { HookResult } from './outcome.js';

export function announceStart(fire: Fire, hookId: string, name: string): void {
  fire.messages.emit({ ...base(fire, hookId, name), subtype: 'hook_started' });
}

export function announceProgress(
  fire: Fire,
  hookId: string,
  name: string,
  stdout: string,
  stderr: string,
): void {
  const output = stdout + stderr;
  fire.messages.emit({ ...base(fire, hookId, name), subtype: 'hook_progress', stdout, stderr, output });
}

export function announceEnd(fire: Fire, result: HookResult, completion: Completion): void {
  const { hookId, name, outcome, exitCode } = result;
  const stdout = result.stdout ?? '';
  const stderr = result.stderr ?? (completion.kind === 'exited' ? '' : (result.failure?.message ?? ''));
  fire.messages.emit({
    ...base(fire, hookId, name),
    subtype: 'hook_response',
    output: stdout + stderr,
    stdout,
    stderr,
    ...(exitCode !== undefined && { exit_code: exitCode }),
    outcome,
  });
}

function base(fire: Fire, hookId: string, name: string) {
  return {
    type: 'system',
    hook_id: hookId,
    hook_name: name,
    hook_event: fire.event,
    uuid: randomUUID(),
    session_id: fire.sessionId,
  } as const;
}
