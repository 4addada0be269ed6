/** A live view that is closed after the test, what it has recorded, and a program that listens to it as a page does. */
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { AgentLoopOptions, Script } from '../../src/agent/index.js';
import { AgentLoop, defineTool, scriptedModel } from '../../src/agent/index.js';
import { Runner } from '../../src/index.js';
import { type LiveEvent, type LiveView, type LiveViewOptions, startLiveView } from '../../src/live/index.js';

export async function openView(options: LiveViewOptions = {}): Promise<LiveView> {
  const live = await startLiveView(options);
  onTestFinished(() => live.close());
  return live;
}

export function makeRunner(): Runner {
  const runner = new Runner();
  onTestFinished(() => runner.dispose());
  return runner;
}

/** A tool that needs no permission and does nothing. */
export const look = defineTool({
  name: 'Look',
  description: 'Looks.',
  input: z.strictObject({ at: z.string() }),
  readOnly: true,
  run: ({ at }) => ({ ok: true, content: `saw ${at}`, response: { at } }),
});

export const looks = (at: string, text?: string) => ({
  ...(text !== undefined && { text }),
  tools: [{ name: 'Look', input: { at } }],
});

export function makeLoop(script: Script, options: Partial<AgentLoopOptions> = {}) {
  const model = scriptedModel(script);
  const loop = new AgentLoop({ model, tools: [look], transcripts: false, ...options });
  onTestFinished(() => loop.close());
  return { loop, model };
}

export type EventOf<T extends LiveEvent['type']> = Extract<LiveEvent, { type: T }>;

export function eventsOf<T extends LiveEvent['type']>(live: LiveView, type: T): EventOf<T>[] {
  return live.events.filter((event): event is EventOf<T> => event.type === type);
}

export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function makeGate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

export interface Listener {
  readonly status: number;
  /** Everything so far, by name; events without one are `message`. */
  readonly received: readonly {
    readonly name: string;
    readonly id: string | undefined;
    readonly data: string;
  }[];
  readonly comments: number;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  stop(): void;
}

/** Listens as a page does: a stream of events, perhaps from some id on. */
export async function listen(url: string, lastEventId?: string): Promise<Listener> {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const response = await fetch(`${url}events`, {
    signal: stopping.signal,
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
  });
  const received: { name: string; id: string | undefined; data: string }[] = [];
  const state = { comments: 0 };
  const read = async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece as Uint8Array, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const field = (name: string): string | undefined =>
          block
            .split('\n')
            .find((line) => line.startsWith(`${name}: `))
            ?.slice(name.length + 2);
        if (block.startsWith(':')) state.comments += 1;
        else received.push({ name: field('event') ?? 'message', id: field('id'), data: field('data') ?? '' });
      }
    }
  };
  const ended = read().catch(() => {});
  return {
    status: response.status,
    received,
    get comments() {
      return state.comments;
    },
    ended,
    stop: () => stopping.abort(),
  };
}

export const eventsIn = ({ received }: Listener): LiveEvent[] =>
  received.filter(({ name }) => name === 'message').map(({ data }) => JSON.parse(data) as LiveEvent);
