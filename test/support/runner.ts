/** What the tests of the runner share: sample inputs, gates instead of sleeps, and a watch over the process. */
import { afterEach, beforeEach, expect, onTestFinished } from 'vitest';
import {
  type FireInput,
  HookError,
  type HookEvent,
  type HookOutcome,
  Runner,
  type RunnerOptions,
} from '../../src/index.js';
import { type MessageRecord, recordMessages } from './messages.js';

/** An input for every event, with the fields that have to be there. */
export const SAMPLES: { readonly [E in HookEvent]: FireInput<E> } = {
  PreToolUse: { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'use-1' },
  PostToolUse: {
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_response: { stdout: 'README.md' },
    tool_use_id: 'use-1',
  },
  PostToolUseFailure: {
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 'use-1',
    error: 'exit code 1',
  },
  Notification: { message: 'Waiting for you', notification_type: 'idle_prompt' },
  UserPromptSubmit: { prompt: 'Make it work' },
  SessionStart: { source: 'startup' },
  SessionEnd: { reason: 'other' },
  Stop: { stop_hook_active: false },
  SubagentStart: { agent_id: 'sub-1', agent_type: 'explorer' },
  SubagentStop: {
    stop_hook_active: false,
    agent_id: 'sub-1',
    agent_transcript_path: '/transcripts/sub-1.jsonl',
    agent_type: 'explorer',
  },
  PreCompact: { trigger: 'auto', custom_instructions: null },
  PermissionRequest: { tool_name: 'Bash', tool_input: { command: 'ls' } },
  Setup: { trigger: 'init' },
  TeammateIdle: { teammate_name: 'ada', team_name: 'engine' },
  TaskCompleted: { task_id: 'task-1', task_subject: 'Write the tests' },
};

/** A fresh copy of the sample that most tests fire with. */
export const bash = (command = 'ls'): FireInput<'PreToolUse'> => ({
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: 'use-1',
});

/** A runner whose messages are checked, and which is disposed, at the end of the test. */
export function makeRunner(options: RunnerOptions = {}): { runner: Runner; record: MessageRecord } {
  const runner = new Runner(options);
  const record = recordMessages(runner);
  onTestFinished(async () => {
    await runner.dispose();
    record.check();
  });
  return { runner, record };
}

/** The same runner for calls that the compiler would refuse. */
export interface Untyped {
  on(...args: unknown[]): () => void;
  fire(...args: unknown[]): Promise<HookOutcome>;
}

export const untyped = (runner: object): Untyped => runner as Untyped;

/** The HookError that a call throws or rejects with; anything else fails the test. */
export async function refusalOf(call: () => unknown): Promise<HookError> {
  try {
    await call();
  } catch (error) {
    expect(error).toBeInstanceOf(HookError);
    return error as HookError;
  }
  throw new Error('the call was accepted, a refusal was expected');
}

export interface Gate<T = void> {
  readonly passed: Promise<T>;
  open(value: T): void;
  fail(error: unknown): void;
}

/** A promise that the test settles. */
export function gate<T = void>(): Gate<T> {
  let open: (value: T) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const passed = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { passed, open, fail };
}

const realImmediate = setImmediate;
const realTimeout = setTimeout;
const realClear = clearTimeout;

/** Lets everything happen that can happen without a timer. Not affected by fake timers. */
export async function turns(count = 5): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise<void>((resolve) => realImmediate(resolve));
}

/** Whether a promise has settled once everything has happened that can happen without a timer. */
export async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = (): void => {
    settled = true;
  };
  promise.then(note, note);
  await turns();
  return settled;
}

/** Waits for something that should come at once; says so when it does not come within a generous time. */
export async function soon<T>(promise: Promise<T>, what = 'the promise', withinMs = 20_000): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = realTimeout(() => reject(new Error(`${what} did not settle within ${withinMs} ms`)), withinMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    realClear(timer);
  }
}

/** Holds up the whole process, as a callback can. */
export function blockEventLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

export interface ProcessWatch {
  /** Hands over what the process has complained of so far; it then counts as expected. */
  take(): Promise<unknown[]>;
}

/** In the whole file, a test fails during which a rejection goes unhandled or the process warns. */
export function watchProcess(): ProcessWatch {
  let complaints: unknown[] = [];
  // What a runner warns of is in its `warnings` too, and tested there.
  const complain = (complaint: unknown): void => {
    if ((complaint as Error | undefined)?.name !== 'HooklineWarning') complaints.push(complaint);
  };
  const take = async (): Promise<unknown[]> => {
    await turns();
    const taken = complaints;
    complaints = [];
    return taken;
  };
  beforeEach(() => {
    complaints = [];
    process.on('unhandledRejection', complain);
    process.on('warning', complain);
  });
  afterEach(async () => {
    const left = await take();
    process.off('unhandledRejection', complain);
    process.off('warning', complain);
    expect(left, 'unhandled rejections and warnings during the test').toEqual([]);
  });
  return { take };
}
