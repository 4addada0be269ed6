/** Agents on Mastra. */
import assert from 'node:assert/strict';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import type { MastraMemory } from '@mastra/core/memory';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { context, deny, Runner } from 'hookline';
import { createHooks, type MastraHooks, type TurnOptions } from 'hookline/mastra';
import { z } from 'zod';
import { type End, type Extras, type Host, type HostTool, roles, type Setup } from '../host.js';
import { startModelServer } from '../model-server.js';

const inputSchema = z.object({ what: z.string() });

const agentWith = (url: string, list: readonly HostTool[], hooks: MastraHooks) => {
  const tools = list.map(({ name, run }) => [
    name,
    createTool({ id: name, description: name, inputSchema, execute: async (input) => run(input) }),
  ]);
  return agentOf(url, hooks.tools(Object.fromEntries(tools)));
};

/** Runs that wait for a person are stored. */
function agentOf(
  url: string,
  tools: NonNullable<ConstructorParameters<typeof Agent>[0]['tools']>,
  memory?: MastraMemory,
) {
  const agent = new Agent({
    id: 'main',
    name: 'Main',
    instructions: 'You measure.',
    model: { id: 'local/test-model', url: `${url}/v1`, apiKey: 'none' },
    maxRetries: 0,
    tools,
    ...(memory && { memory }),
  });
  new Mastra({ agents: { main: agent }, storage: new InMemoryStore(), logger: false });
  return agent;
}

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
              const agent = agentWith(url, tools, inner);
              const { result } = await inner.run(`You are a scout: ${what}`, (...turn) =>
                agent.generate(...turn),
              );
              return result?.text ?? '';
            },
          },
        ];
  const agent = agentWith(url, [...tools, ...scout], hooks);
  const call = async (messages: never[], options: TurnOptions) => {
    if (!isStreamed) return agent.generate(messages, options);
    const stream = await agent.stream(messages, options);
    for await (const _ of stream.fullStream);
    return stream.getFullOutput();
  };
  let last: Awaited<ReturnType<typeof call>> | undefined;
  const shown = async (
    running: ReturnType<typeof hooks.run<Awaited<ReturnType<typeof call>>>>,
  ): Promise<End> => {
    const end = await running;
    last = end.result;
    if (end.status === 'blocked' || end.status === 'halted') return { status: end.status, text: end.reason };
    if (end.status === 'waiting') return { status: 'waiting', text: '' };
    return { status: end.status === 'completed' ? 'completed' : 'other', text: last?.text ?? '' };
  };
  return {
    run: (prompt: string, { signal }: { signal?: AbortSignal } = {}) =>
      shown(hooks.run(prompt, call, { signal })),
    converse: (said: readonly string[]) => shown(hooks.run(roles(said) as never[], call)),
    decide: (approved: boolean) =>
      shown(
        hooks.resume((_, options) =>
          agent.resumeGenerate(
            { approved },
            { ...options, runId: last?.runId ?? '', toolCallId: last?.suspendPayload?.toolCallId },
          ),
        ),
      ),
    retry: () => shown(hooks.resume(call)),
    end: () => hooks.end(),
  };
}

export const hosts: readonly Host[] = [
  { title: 'Mastra', package: '@mastra/core', cannot: {}, open: (setup) => open(setup, false) },
  { title: 'Mastra, streamed', package: '@mastra/core', cannot: {}, open: (setup) => open(setup, true) },
];

export const extras: Extras = {
  'a tool that suspends the run itself has not failed, and no hook runs twice': async () => {
    const server = await startModelServer(({ index }) =>
      index === 0 ? [{ name: 'measure', input: { what: 'bridge' } }] : 'Done.',
    );
    const runner = new Runner();
    const fired: string[] = [];
    runner.observe(({ event }) => void fired.push(event));
    runner.on('PostToolUse', () => context('PostToolUse', 'the scale is new'));
    const hooks = createHooks({ runner });
    const measure = createTool({
      id: 'measure',
      description: 'measures',
      inputSchema,
      outputSchema: z.object({ metres: z.string() }),
      suspendSchema: z.object({ question: z.string() }),
      resumeSchema: z.object({ metres: z.string() }),
      execute: async (_, { agent }) => {
        if (agent?.resumeData !== undefined) return agent.resumeData;
        await agent?.suspend({ question: 'How long is it?' });
        return undefined as never;
      },
    });
    const agent = agentOf(server.url, hooks.tools({ measure }));
    const { result, status } = await hooks.run('Measure.', (...turn) => agent.generate(...turn));
    assert.deepEqual([status, fired], ['waiting', ['SessionStart', 'UserPromptSubmit', 'PreToolUse']]);
    const { runId = '' } = result ?? {};
    const end = await hooks.resume((_, options) =>
      agent.resumeGenerate({ metres: '42' }, { ...options, runId }),
    );
    assert.deepEqual([end.status, fired.slice(3)], ['completed', ['PostToolUse', 'Stop']]);
    assert.match(server.said(1), /42[\s\S]*the scale is new/);
    await server.close();
  },
  'with a memory, only what is new is sent to the host, and nothing is lost': async () => {
    const server = await startModelServer(({ index }) =>
      index === 0 ? [{ name: 'measure', input: { what: 'bridge' } }] : `Answer ${index}.`,
    );
    const runner = new Runner();
    runner.on('UserPromptSubmit', () => context('UserPromptSubmit', 'it is Monday'));
    runner.on('PostToolUse', () => context('PostToolUse', 'the scale is new'));
    runner.on('Stop', ({ stop_hook_active }) => (stop_hook_active ? undefined : deny('say it again')));
    const hooks = createHooks({ runner, memory: true });
    const measure = createTool({
      id: 'measure',
      description: 'measures',
      inputSchema,
      execute: async () => '42 m',
    });
    const agent = agentOf(
      server.url,
      hooks.tools({ measure }),
      new MockMemory({ storage: new InMemoryStore() }),
    );
    const memory = { thread: 'one', resource: 'eva' };
    for (const prompt of ['Measure.', 'And now?'])
      await hooks.run(prompt, (messages, options) => agent.generate(messages, { ...options, memory }));
    assert.equal(server.requests.length, 5);
    const times = (text: string) => server.said(4).split(text).length - 1;
    for (const text of ['Measure.', 'the scale is new', 'Answer 1.', 'Answer 2.', 'And now?', 'Answer 3.'])
      assert.equal(times(text), 1, text);
    for (const text of ['it is Monday', 'say it again']) assert.equal(times(text), 2, text);
    await server.close();
  },
};
