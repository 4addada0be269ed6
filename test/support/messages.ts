/** Records the messages of a runner and checks what must be true of every such record. */
import { expect } from 'vitest';
import type { HookMessage, Runner } from '../../src/index.js';

const BASE_KEYS = ['hook_event', 'hook_id', 'hook_name', 'session_id', 'subtype', 'type', 'uuid'];
const PRINTED_KEYS = ['output', 'stderr', 'stdout'];
const SUBTYPES: readonly string[] = ['hook_started', 'hook_progress', 'hook_response'];

export interface MessageRecord {
  readonly messages: readonly HookMessage[];
  /** The subtypes of one hook's messages, without their common prefix. */
  storyOf(hookId: string): string[];
  /** Stops listening. */
  stop(): void;
  /** Asserts the invariants on everything recorded so far; call it when no hook runs any more. */
  check(): void;
}

export function recordMessages(runner: Runner): MessageRecord {
  const messages: HookMessage[] = [];
  const stop = runner.messages.on('message', (message) => void messages.push(message));
  return {
    messages,
    storyOf: (hookId) =>
      messages.filter((m) => m.hook_id === hookId).map((m) => m.subtype.slice('hook_'.length)),
    stop,
    check: () => checkMessages(messages),
  };
}

/** Every hook: one start, then progress, then one response and nothing after it; the SDK's fields and no others. */
export function checkMessages(messages: readonly HookMessage[]): void {
  const uuids = messages.map((message) => message.uuid);
  expect(new Set(uuids).size, 'every message has a uuid of its own').toBe(uuids.length);
  for (const message of messages) checkFields(message);
  const byHook = new Map<string, HookMessage[]>();
  for (const message of messages) {
    const story = byHook.get(message.hook_id);
    if (story === undefined) byHook.set(message.hook_id, [message]);
    else story.push(message);
  }
  for (const [hookId, story] of byHook) {
    const subtypes = story.map((message) => message.subtype).join(' ');
    expect(subtypes, `the messages of hook ${hookId}`).toMatch(
      /^hook_started( hook_progress)* hook_response$/,
    );
    const circumstances = story.map((m) => `${m.hook_name} ${m.hook_event} ${m.session_id}`);
    expect(new Set(circumstances).size, `${hookId} keeps its name, event and session`).toBe(1);
  }
}

function checkFields(message: HookMessage): void {
  expect(SUBTYPES).toContain(message.subtype);
  expect(message.type).toBe('system');
  expect(message.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  const keys = Object.keys(message).sort();
  if (message.subtype === 'hook_started') {
    expect(keys).toEqual(BASE_KEYS);
    return;
  }
  const own = message.subtype === 'hook_progress' ? PRINTED_KEYS : [...PRINTED_KEYS, 'outcome'];
  expect(keys.filter((key) => key !== 'exit_code')).toEqual([...BASE_KEYS, ...own].sort());
  // A status message is progress although the hook has printed nothing.
  const printed = message.stdout + message.stderr;
  if (message.subtype !== 'hook_progress' || printed !== '') expect(message.output).toBe(printed);
  if (message.subtype === 'hook_progress') expect(keys).not.toContain('exit_code');
  else expect(['success', 'error', 'cancelled']).toContain(message.outcome);
}
