/** Agents on Strands. */
import assert from 'node:assert/strict';
import * as strands from '@strands-agents/sdk';
import { AnthropicModel } from '@strands-agents/sdk/models/anthropic';
import { context, Runner } from 'hookline';
import { createHooks, type StrandsHooks } from 'hookline/strands';
import { z } from 'zod';
import { type End, type Extras, type Host, type HostTool, roles, type Setup } from '../host.js';
import { type ModelServer, startModelServer } from '../model-server.js';

const inputSchema = z.object({ what: z.string() });

/** Its model for chat completions keeps one call of an answer with several. */
const modelAt = (url: string) =>
  new AnthropicModel({
    modelId: 'test-model',
    apiKey: 'none',
    maxTokens: 1024,
    clientConfig: { baseURL: url, maxRetries: 0 },
  });

const agentWith = (url: string, list: readonly HostTool[], hooks: StrandsHooks) =>
  new strands.Agent({
    model: modelAt(url),
    printer: false,
    retryStrategy: null,
    tools: list.map(({ name, run }) =>
      strands.tool({ name, description: name, inputSchema, callback: (input) => run(input) }),
    ),
    plugins: [hooks.plugin(strands)],
  });

const textOf = ({ content }: strands.Message): string =>
  content.map((block) => (block.type === 'textBlock' ? block.text : '')).join('');

function open({ url, runner, mailbox, onProblem, subagent, tools }: Setup, isStreamed: boolean) {
  const hooks = createHooks({ runner, mailbox, onProblem });
  const scout: HostTool[] =
    subagent === undefined
      ? []
      : [
          {
            name: subagent.tool,
            run: async ({ what }) => {
              const inner = hooks.subagent({ type: subagent.type, id: `scout-${what}` });
              const result = await agentWith(url, tools, inner).invoke(`You are a scout: ${what}`);
              return textOf(result.lastMessage);
            },
          },
        ];
  const agent = agentWith(url, [...tools, ...scout], hooks);
  let last: strands.AgentResult | undefined;
  const invoke = async (input: strands.InvokeArgs, cancelSignal?: AbortSignal): Promise<End> => {
    const options = cancelSignal && { cancelSignal };
    if (isStreamed) {
      const events = agent.stream(input, options);
      let next = await events.next();
      while (next.done !== true) next = await events.next();
      last = next.value;
    } else last = await agent.invoke(input, options);
    const { ending } = hooks;
    if (ending.status === 'blocked' || ending.status === 'halted')
      return { status: ending.status, text: ending.reason };
    if (ending.status === 'waiting') return { status: 'waiting', text: '' };
    return {
      status: ending.status === 'completed' ? 'completed' : 'other',
      text: textOf(last.lastMessage),
    };
  };
  return {
    run: (prompt: string, { signal }: { signal?: AbortSignal } = {}) => invoke(prompt, signal),
    converse: (said: readonly string[]) =>
      invoke(roles(said).map(({ role, content }) => ({ role, content: [{ text: content }] }))),
    decide: (approved: boolean) =>
      invoke(
        (last?.interrupts ?? []).map(
          ({ id }) => new strands.InterruptResponseContent({ interruptId: id, response: approved }),
        ),
      ),
    retry: () => invoke([]),
    end: () => hooks.end(),
  };
}

export const hosts: readonly Host[] = [
  {
    title: 'Strands',
    package: '@strands-agents/sdk',
    cannot: {},
    open: (setup) => open(setup, false),
  },
  {
    title: 'Strands, streamed',
    package: '@strands-agents/sdk',
    cannot: {},
    open: (setup) => open(setup, true),
  },
];

/** An agent whose model calls one tool and is done then. */
async function withTool(
  tool: strands.Tool,
  check: (agent: strands.Agent, bench: { runner: Runner; server: ModelServer }) => Promise<void>,
): Promise<void> {
  const server = await startModelServer(({ index }) =>
    index === 0 ? [{ name: tool.name, input: { what: 'bridge' } }] : 'Done.',
  );
  const runner = new Runner();
  const plugins = [createHooks({ runner }).plugin(strands)];
  const agent = new strands.Agent({ model: modelAt(server.url), printer: false, tools: [tool], plugins });
  await check(agent, { runner, server });
  await runner.dispose();
  await server.close();
}

export const extras: Extras = {
  'a tool that asks a person itself has not failed, and no hook runs twice': () =>
    withTool(
      strands.tool({
        name: 'measure',
        description: 'measures',
        inputSchema,
        callback: ({ what }, tools) => `${what}: ${tools?.interrupt({ name: 'metres?' })}`,
      }),
      async (agent, { runner, server }) => {
        const fired: string[] = [];
        runner.observe(({ event }) => void fired.push(event));
        runner.on('PostToolUse', () => context('PostToolUse', 'the scale is new'));
        const { interrupts = [] } = await agent.invoke('Measure the bridge.');
        assert.deepEqual(fired, ['SessionStart', 'UserPromptSubmit', 'PreToolUse']);
        await agent.invoke(
          interrupts.map(
            ({ id }) => new strands.InterruptResponseContent({ interruptId: id, response: '42' }),
          ),
        );
        assert.deepEqual(fired.slice(3), ['PostToolUse', 'Stop']);
        assert.match(server.said(1), /bridge: 42[\s\S]*the scale is new/);
      },
    ),
  'a tool reports on the way; hooks see JSON as JSON, and what they add is behind it': () =>
    withTool(
      strands.tool({
        name: 'measure',
        description: 'measures',
        inputSchema,
        callback: async function* () {
          yield 'half way';
          return { metres: '42' };
        },
      }),
      async (agent, { runner, server }) => {
        const seen: unknown[] = [];
        runner.on('PostToolUse', ({ tool_response }) => {
          seen.push(tool_response);
          return context('PostToolUse', 'the scale is new');
        });
        const reports: unknown[] = [];
        for await (const event of agent.stream('Measure the bridge.'))
          if (event.type === 'toolStreamUpdateEvent') reports.push(event.event.data);
        assert.deepEqual([reports, seen], [['half way'], [{ metres: '42' }]]);
        assert.match(server.said(1), /42[\s\S]*the scale is new/);
      },
    ),
  'a blocked prompt is not in the conversation, and a plugin is for one agent': async () => {
    const server = await startModelServer(() => 'Done.');
    const runner = new Runner();
    const off = runner.on('UserPromptSubmit', () => ({ decision: 'block', reason: 'no' }));
    const hooks = createHooks({ runner });
    const agent = agentWith(server.url, [], hooks);
    assert.equal(textOf((await agent.invoke('Hello.')).lastMessage), 'no');
    assert.deepEqual([agent.messages, server.requests], [[], []]);
    off();
    await assert.rejects(agentWith(server.url, [], hooks).invoke('Hello.'), /belong to another agent/);
    await server.close();
  },
};
