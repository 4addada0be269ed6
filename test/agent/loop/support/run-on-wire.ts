/** Runs a loop against a server that speaks, and checks, one of the three formats, and gives back what it was sent. */
import type { AgentLoop } from '../../../../src/agent/loop/agent-loop.js';
import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import { anthropicWire } from '../../models/servers/anthropic.js';
import { type Body, sends, startLoopback } from '../../models/servers/loopback.js';
import { chatWire } from '../../models/servers/openai-chat.js';
import { responsesWire } from '../../models/servers/openai-responses.js';
import type { Answer, Wire } from '../../models/servers/wire.js';
import { type LoopSetup, type MadeLoop, makeLoop, type ReadRun, readRun } from './run-loop.js';

export const WIRES = { anthropic: anthropicWire, chat: chatWire, responses: responsesWire } as const;
export type WireName = keyof typeof WIRES;

/** What a model is told at the beginning, where a test does not say otherwise. */
export const SYSTEM = 'You are under test.';
export const PROMPT = 'Do it.';

export interface WireCall {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

/** What the model answers: calls, or else a text. */
export interface WireAnswer {
  readonly text?: string;
  readonly calls?: readonly WireCall[];
  readonly thinking?: Answer['thinking'];
}

export interface WireSetup extends Omit<LoopSetup, 'turns'> {
  readonly answers: readonly WireAnswer[];
  /** Default: one. */
  readonly prompts?: readonly string[] | undefined;
  /** Gets the loop before its first prompt. */
  readonly onMade?: ((loop: AgentLoop) => void) | undefined;
}

/** The two parts of a request that hooks have an influence on. */
export interface Request {
  readonly system: unknown;
  readonly messages: unknown;
}

export interface WireRun extends Omit<MadeLoop, 'requests'> {
  readonly runs: readonly ReadRun[];
  /** The last run. */
  readonly last: ReadRun;
  readonly requests: readonly Request[];
}

export async function runOnWire(name: WireName, setup: WireSetup): Promise<WireRun> {
  const wire: Wire = WIRES[name];
  const server = await startLoopback(
    wire,
    setup.answers.map((answer) => sends(wire.events(toEvents(answer)))),
  );
  const options: Partial<AgentLoopOptions> = {
    model: wire.model(server.url, { maxRetries: 0 }),
    systemPrompt: SYSTEM,
    ...setup.options,
  };
  const made = await makeLoop({ ...setup, options });
  setup.onMade?.(made.loop);
  const runs: ReadRun[] = [];
  for (const prompt of setup.prompts ?? [PROMPT]) runs.push(await readRun(made.loop.run(prompt)));
  const requests = server.received.map(({ body }) => READERS[name](body));
  return { ...made, runs, last: runs.at(-1) as ReadRun, requests };
}

export const toEvents = ({ text, calls = [], thinking }: WireAnswer): Answer => ({
  ...(thinking !== undefined && { thinking }),
  texts: text === undefined ? [] : [text],
  calls: calls.map(({ id, name, input }) => ({ id, name, json: [JSON.stringify(input)] })),
});

/** Where each format has the system prompt and the conversation. */
const READERS: Readonly<Record<WireName, (body: Body) => Request>> = {
  anthropic: (body) => {
    const { system, messages } = withoutMarks(body) as Body;
    return { system: Array.isArray(system) ? system[0]?.text : system, messages };
  },
  chat: ({ messages }) => {
    const [first, ...rest] = messages as { readonly role: string; readonly content: unknown }[];
    return first?.role === 'system'
      ? { system: first.content, messages: rest }
      : { system: undefined, messages };
  },
  responses: ({ instructions, input }) => ({ system: instructions, messages: input }),
};

/** Where the cache ends moves from request to request, and is not what the model reads. */
export function withoutMarks(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner)));
}
