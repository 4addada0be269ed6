/** A loop whose every event is seen by one hook, and what must be true of every request to a model. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Model, ModelMessage, ModelRequest } from '../../../../src/agent/models/port.js';
import { HOOK_EVENTS, type HookConfig, type HookEvent } from '../../../../src/index.js';
import { isRunning, readPids, until } from '../../../support/process-harness.js';
import type { Gate } from '../../../support/runner.js';
import { type LoopSetup, type MadeLoop, makeLoop, makePlaces } from '../support/run-loop.js';

type Fields = Readonly<Record<string, unknown>>;

/** One fire, as a hook sees it. */
export interface Seen {
  readonly event: HookEvent;
  readonly input: Fields;
}

export interface WatchedLoop extends MadeLoop {
  /** Every fire so far, in order. */
  readonly seen: readonly Seen[];
  /** The inputs of one event. */
  of(event: HookEvent): readonly Fields[];
}

/** The watching hook comes first, so that it sees also what the hooks under test never end. */
export async function watchLoop(setup: LoopSetup = {}): Promise<WatchedLoop> {
  const seen: Seen[] = [];
  const hooks = Object.fromEntries(
    HOOK_EVENTS.map((event) => {
      const watch = (input: unknown): void =>
        void seen.push({ event, input: JSON.parse(JSON.stringify(input)) as Fields });
      return [event, [{ hooks: [watch] }, ...(setup.hooks?.[event] ?? [])]];
    }),
  ) as HookConfig;
  const made = await makeLoop({ ...setup, hooks });
  return {
    ...made,
    seen,
    of: (event) => seen.flatMap((each) => (each.event === event ? [each.input] : [])),
  };
}

/** The names of what was fired, in order; tool events with their tool. */
export const story = (seen: readonly Seen[]): string[] =>
  seen.map(({ event, input }) =>
    input['tool_name'] === undefined ? event : `${event}:${input['tool_name']}`,
  );

/** The text that a message to the model holds, tool results included. */
export function textOf(message: ModelMessage | undefined): string {
  return (message?.content ?? [])
    .map((block) => {
      if (block.type === 'text') return block.text;
      if (block.type === 'tool_use') return JSON.stringify(block.input);
      if (block.type !== 'tool_result') return `[${block.type}]`;
      return typeof block.content === 'string' ? block.content : JSON.stringify(block.content);
    })
    .join('\n');
}

/** The last message of the last request. */
export const lastSaid = (requests: readonly ModelRequest[]): string =>
  textOf(requests.at(-1)?.messages.at(-1));

/** Services refuse other conversations: roles alternate, every tool use is answered in the next message, at its front. */
export function expectValid(requests: readonly ModelRequest[]): void {
  for (const { messages } of requests) checkConversation(messages);
}

export function checkConversation(messages: readonly ModelMessage[]): void {
  messages.forEach(({ role, content }, i) => {
    expect(role, `the role of message ${i}`).toBe(i % 2 === 0 ? 'user' : 'assistant');
    expect(content, `message ${i}`).not.toEqual([]);
    const before = i === 0 ? [] : (messages[i - 1]?.content ?? []);
    const asked = before.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    const answered = content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
    expect(answered, `the results of message ${i}`).toEqual(asked);
    expect(
      content.slice(0, answered.length).map(({ type }) => type),
      `results come first in message ${i}`,
    ).toEqual(answered.map(() => 'tool_result'));
  });
  const last = messages.at(-1)?.content ?? [];
  expect(
    last.filter(({ type }) => type === 'tool_use'),
    'nothing is asked of tools at the end',
  ).toEqual([]);
}

export interface PidFile {
  readonly path: string;
  /** A shell line that reports two processes, itself and a child, and goes on for long. */
  readonly sleeper: string;
  /** The reported pids, as soon as there are so many. */
  reported(count?: number): Promise<readonly number[]>;
  running(): readonly number[];
}

/** Where processes of a test report their pids; those that are left are ended with the test. */
export function makePidFile(): PidFile {
  const path = join(makePlaces().transcripts, '..', 'pids');
  writeFileSync(path, '');
  onTestFinished(() => {
    for (const pid of readPids(path)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  return {
    path,
    sleeper: `sleep 100 & echo $! >> '${path}'; echo $$ >> '${path}'; sleep 100`,
    reported: async (count = 2) => {
      await until(() => readPids(path).length >= count, `${count} reported pids`);
      return readPids(path);
    },
    running: () => readPids(path).filter(isRunning),
  };
}

/** A model that says nothing and waits until it is told to end. */
export function hangingModel(onAsked: (request: ModelRequest) => void): Model {
  return {
    name: 'hanging',
    async *stream(request) {
      yield { type: 'text', text: 'I begin' };
      onAsked(request);
      await new Promise<never>((_, reject) => {
        const { signal } = request;
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    },
  };
}

/** A hook that never answers; it says when it has been asked. */
export const hangs = (begun: Gate) => (): Promise<never> => {
  begun.open();
  return new Promise(() => {});
};
