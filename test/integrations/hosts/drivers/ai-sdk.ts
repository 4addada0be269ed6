/** Agents on the AI SDK, versions 5 to 7: `generateText`, `streamText` and `ToolLoopAgent`. */
import assert from 'node:assert/strict';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as ai7 from 'ai';
import * as ai5 from 'ai-5';
import * as ai6 from 'ai-6';
import { context, deny, type HookMessage, Runner } from 'hookline';
import { type AiSdkHooks, createHooks } from 'hookline/ai-sdk';
import { createOpenAICompatible as createForFive } from 'openai-compatible-1';
import { createOpenAICompatible as createForSix } from 'openai-compatible-2';
import { z } from 'zod';
import { type End, type Extras, type Host, type HostTool, roles, type Setup } from '../host.js';
import { type ModelServer, type Plan, startModelServer } from '../model-server.js';

type Ai = typeof ai7;
type Hooks = AiSdkHooks<ai7.ModelMessage>;
type Mode = 'generate' | 'stream' | 'agent';

const inputSchema = z.object({ what: z.string() });

interface Version {
  readonly ai: Ai;
  readonly provider: typeof createOpenAICompatible;
}

/** The other versions have the same functions; the types of their own are checked in the examples. */
const VERSIONS = {
  5: { ai: ai5, provider: createForFive } as unknown as Version,
  6: { ai: ai6, provider: createForSix } as unknown as Version,
  7: { ai: ai7, provider: createOpenAICompatible },
};

function open({ ai, provider }: Version, mode: Mode, setup: Setup) {
  const { url, runner, mailbox, onProblem, subagent } = setup;
  const model = provider({ name: 'loopback', baseURL: `${url}/v1` })('test-model');
  const hooks: Hooks = createHooks<ai7.ModelMessage>({ runner, mailbox, onProblem });
  const toolsOf = (list: readonly HostTool[], of: Hooks) =>
    of.tools(
      Object.fromEntries(
        list.map(({ name, run }) => [
          name,
          ai.tool({ description: name, inputSchema, execute: (input) => run(input) }),
        ]),
      ),
    );
  const scout: HostTool[] =
    subagent === undefined
      ? []
      : [
          {
            name: subagent.tool,
            run: async ({ what }) => {
              const inner = hooks.subagent({ type: subagent.type, id: `scout-${what}` });
              const tools = toolsOf(setup.tools, inner);
              const { result } = await inner.run(`You are a scout: ${what}`, (turn) =>
                ai.generateText({ model, tools, ...turn }),
              );
              return result?.text ?? '';
            },
          },
        ];
  const tools = toolsOf([...setup.tools, ...scout], hooks);
  const call = (turn: Parameters<Parameters<Hooks['run']>[1]>[0]) => {
    if (mode === 'agent')
      return new ai.ToolLoopAgent({ model, maxRetries: 0, tools, ...hooks.settings }).generate(turn);
    return ai.generateText({ model, maxRetries: 0, tools, ...turn });
  };
  const streamed = async (prompt: string, signal: AbortSignal | undefined) => {
    const stream = hooks.stream(
      prompt,
      (turn) => ai.streamText({ model, maxRetries: 0, tools, onError: () => {}, ...turn }),
      { signal },
    );
    for await (const _ of stream.toUIMessageStream());
    return stream.end;
  };
  let approval: string | undefined;
  const shown = async (running: ReturnType<typeof hooks.run>): Promise<End> => {
    const end = await running;
    if (end.status === 'blocked' || end.status === 'halted') return { status: end.status, text: end.reason };
    if (end.status === 'waiting') {
      const parts = end.messages.flatMap(({ content }) =>
        Array.isArray(content) ? (content as object[]) : [],
      );
      const request = parts.find((part) => 'type' in part && part.type === 'tool-approval-request');
      approval = (request as { approvalId: string } | undefined)?.approvalId;
      return { status: 'waiting', text: '' };
    }
    return {
      status: end.status === 'completed' ? 'completed' : 'other',
      text: (await end.result?.text) ?? '',
    };
  };
  return {
    run: (prompt: string, { signal }: { signal?: AbortSignal } = {}) =>
      shown(mode === 'stream' ? streamed(prompt, signal) : hooks.run(prompt, call, { signal })),
    converse: (said: readonly string[]) => shown(hooks.run(roles(said), call)),
    decide: (approved: boolean) =>
      shown(
        hooks.resume(
          [
            {
              role: 'tool',
              content: [{ type: 'tool-approval-response', approvalId: approval ?? '', approved }],
            },
          ],
          call,
        ),
      ),
    retry: () => shown(hooks.resume([], call)),
    end: () => hooks.end(),
  };
}

const host = (version: 5 | 6 | 7, mode: Mode, title: string, cannot: Host['cannot'] = {}): Host => ({
  title,
  package: version === 7 ? 'ai' : `ai-${version}`,
  cannot,
  open: (setup) => open(VERSIONS[version], mode, setup),
});

const NO_APPROVAL =
  'AI SDK 5 has no approval of tool calls. Pass a function as `ask`; without one the call is refused.';

export const hosts: readonly Host[] = [
  host(7, 'generate', 'AI SDK 7 `generateText`'),
  host(7, 'stream', 'AI SDK 7 `streamText`'),
  host(7, 'agent', 'AI SDK 7 `ToolLoopAgent`'),
  host(6, 'generate', 'AI SDK 6'),
  host(5, 'generate', 'AI SDK 5', { ask: NO_APPROVAL, 'ask-parallel': NO_APPROVAL }),
];

/** Runs an agent with one tool on the newest version, over a planned model. */
async function withServer(
  plan: Plan,
  check: (model: ai7.LanguageModel, runner: Runner, server: ModelServer) => Promise<void>,
): Promise<void> {
  const server = await startModelServer(plan);
  const runner = new Runner();
  const provider = createOpenAICompatible({ name: 'loopback', baseURL: `${server.url}/v1` });
  try {
    await check(provider('test-model'), runner, server);
  } finally {
    await runner.dispose();
    await server.close();
  }
}

const callOnce: Plan = ({ index }) =>
  index === 0 ? [{ name: 'measure', input: { what: 'bridge' } }] : 'Done.';

export const extras: Extras = {
  'a UI message stream is one message, with the messages of hooks in it': () =>
    withServer(callOnce, async (model, runner) => {
      runner.on('PreToolUse', { name: 'guard' }, () => undefined);
      runner.on('Stop', ({ stop_hook_active }) => (stop_hook_active ? undefined : deny('once more')));
      const hooks = createHooks<ai7.ModelMessage>({ runner });
      const measure = ai7.tool({ inputSchema, execute: ({ what }) => `the ${what} is 42 m` });
      const tools = hooks.tools({ measure });
      const stream = hooks.stream('Measure.', (turn) => ai7.streamText({ model, tools, ...turn }));
      const chunks: { type: string; data?: unknown; transient?: boolean }[] = [];
      for await (const chunk of stream.toUIMessageStream()) chunks.push(chunk);
      const count = (type: string) => chunks.filter((chunk) => chunk.type === type).length;
      assert.deepEqual([count('start'), count('finish'), count('start-step')], [1, 1, 3]);
      const told = chunks.filter(({ type, transient }) => type === 'data-hook' && transient === true);
      assert.deepEqual(told.map(({ data }) => (data as HookMessage).subtype).slice(0, 2), [
        'hook_started',
        'hook_response',
      ]);
      assert.equal((await stream.end).status, 'completed');
      // Clients read it as one message, which has both answers.
      let message: ai7.UIMessage | undefined;
      const read = hooks.stream('Again.', (turn) => ai7.streamText({ model, tools, ...turn }));
      for await (message of ai7.readUIMessageStream({ stream: read.toUIMessageStream() }));
      assert.deepEqual(
        message?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
        ['Done.', 'Done.'],
      );
    }),
  'the parts of all turns arrive in one stream, and errors in it and at the end': () =>
    withServer(
      ({ index }) => (index === 0 ? 'One.' : 400),
      async (model, runner) => {
        runner.on('Stop', () => deny('once more'));
        const hooks = createHooks<ai7.ModelMessage>({ runner });
        const stream = hooks.stream('Go.', (turn) => ai7.streamText({ model, onError: () => {}, ...turn }));
        let text = '';
        await assert.rejects(async () => {
          for await (const piece of stream.textStream) text += piece;
        }, /this request fails/);
        assert.equal(text, 'One.');
        await assert.rejects(stream.end, /this request fails/);
      },
    ),
  'an output that is an object keeps its fields, and one that renders itself for the model is rendered': () =>
    withServer(
      ({ index }) =>
        index === 0
          ? [
              { name: 'plain', input: { what: 'a' } },
              { name: 'own', input: { what: 'b' } },
            ]
          : 'Done.',
      async (model, runner, server) => {
        runner.on('PostToolUse', ({ tool_name }) => context('PostToolUse', `behind ${tool_name}`));
        const hooks = createHooks<ai7.ModelMessage>({ runner });
        const tools = hooks.tools({
          plain: ai7.tool({ inputSchema, execute: async () => ({ metres: 42 }) }),
          own: ai7.tool({
            inputSchema,
            execute: async () => 42,
            toModelOutput: ({ output }) => ({ type: 'text', value: `${output} metres` }),
          }),
        });
        const { result } = await hooks.run('Go.', (turn) => ai7.generateText({ model, tools, ...turn }));
        const outputs = result?.steps[0]?.toolResults.map(({ output }) => output);
        assert.equal((outputs?.[0] as { metres: number } | undefined)?.metres, 42);
        for (const text of ['"metres":42', 'behind plain', '42 metres', 'behind own'])
          assert.ok(JSON.stringify(server.requests[1]).replaceAll('\\', '').includes(text), text);
      },
    ),
  'a tool that yields shows its outputs on the way, and hooks see the last one': () =>
    withServer(callOnce, async (model, runner) => {
      const seen: unknown[] = [];
      runner.on('PostToolUse', ({ tool_response }) => void seen.push(tool_response));
      const hooks = createHooks<ai7.ModelMessage>({ runner });
      const tools = hooks.tools({
        measure: ai7.tool({
          inputSchema,
          async *execute() {
            yield 'half way';
            yield '42 m';
          },
        }),
      });
      const stream = hooks.stream('Go.', (turn) => ai7.streamText({ model, tools, ...turn }));
      const outputs: unknown[] = [];
      for await (const part of stream.fullStream) if (part.type === 'tool-result') outputs.push(part.output);
      assert.ok(outputs.includes('half way'));
      assert.equal(outputs.at(-1), '42 m');
      assert.deepEqual(seen, ['42 m']);
    }),
  'a conversation that does not end with a prompt is for `resume`': async () => {
    const hooks = createHooks<ai7.ModelMessage>({ runner: new Runner() });
    const messages: ai7.ModelMessage[] = [{ role: 'assistant', content: 'Hello.' }];
    await assert.rejects(
      hooks.run(messages, () => assert.fail('the host is not called')),
      /call `resume`/,
    );
  },
};
