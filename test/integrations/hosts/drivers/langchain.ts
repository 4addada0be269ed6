/** Agents made with LangChain's `createAgent`. */
import assert from 'node:assert/strict';
import { Command, MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { ask, context, deny, Runner } from 'hookline';
import { createHooks, type LangchainHooks } from 'hookline/langchain';
import { createAgent, createMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { type End, type Extras, type Host, type HostTool, roles, type Setup } from '../host.js';
import { startModelServer } from '../model-server.js';

const schema = z.object({ what: z.string() });

const modelAt = (url: string) =>
  new ChatOpenAI({
    model: 'test-model',
    apiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL: `${url}/v1` },
  });

const agentWith = (url: string, list: readonly HostTool[], hooks: LangchainHooks, saver?: MemorySaver) =>
  createAgent({
    model: modelAt(url),
    tools: list.map(({ name, run }) =>
      tool((input: { what: string }) => run(input), { name, description: name, schema }),
    ),
    middleware: [createMiddleware(hooks.middleware)],
    ...(saver && { checkpointer: saver }),
  });

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
              const { messages } = await agent.invoke({
                messages: [{ role: 'user', content: `You are a scout: ${what}` }],
              });
              return String(messages.at(-1)?.content);
            },
          },
        ];
  const agent = agentWith(url, [...tools, ...scout], hooks, new MemorySaver());
  const config = { configurable: { thread_id: '1' } };
  const invoke = async (
    input: Parameters<typeof agent.invoke>[0] | Command,
    signal?: AbortSignal,
  ): Promise<End> => {
    const options = { ...config, ...(signal && { signal }) };
    if (isStreamed)
      for await (const _ of await agent.stream(input as never, { ...options, streamMode: 'updates' }));
    else await agent.invoke(input as never, options);
    const { values, tasks } = await agent.graph.getState(config);
    if (tasks.some(({ interrupts }) => interrupts.length > 0)) return { status: 'waiting', text: '' };
    const { ending } = hooks;
    if (ending?.status === 'blocked' || ending?.status === 'halted')
      return { status: ending.status, text: ending.reason };
    const text = String(values.messages.at(-1)?.content);
    return { status: ending?.status === 'completed' ? 'completed' : 'other', text };
  };
  return {
    run: (prompt: string, { signal }: { signal?: AbortSignal } = {}) =>
      invoke({ messages: [{ role: 'user', content: prompt }] }, signal),
    converse: (said: readonly string[]) => invoke({ messages: roles(said) }),
    decide: (approved: boolean) => invoke(new Command({ resume: { approved } })),
    recover: () => invoke(null as never),
    retry: () => invoke(null as never),
    end: () => hooks.end(),
  };
}

export const hosts: readonly Host[] = [
  { title: 'LangChain', package: 'langchain', cannot: {}, open: (setup) => open(setup, false) },
  { title: 'LangChain, streamed', package: 'langchain', cannot: {}, open: (setup) => open(setup, true) },
];

export const extras: Extras = {
  'a conversation that is dropped after a failed request gives its items back': async () => {
    const { createMailbox } = await import('hookline/injection');
    const server = await startModelServer(({ index }) => {
      if (index === 0) return [{ name: 'measure', input: { what: 'bridge' } }];
      return index === 1 ? 400 : 'Done.';
    });
    const runner = new Runner();
    const mailbox = createMailbox({ agents: ['main'] });
    const hooks = createHooks({ runner, mailbox });
    const put = () =>
      mailbox.put({ id: 'eva-1', content: 'In metres, please.', source: { kind: 'human', label: 'Eva' } });
    runner.on('PostToolUse', async () => void (await put()));
    const agent = agentWith(server.url, [{ name: 'measure', run: () => '42 m' }], hooks);
    const messages = [{ role: 'user' as const, content: 'Measure the bridge.' }];
    await assert.rejects(agent.invoke({ messages }));
    await agent.invoke({ messages });
    assert.match(server.said(2), /In metres, please\./);
    assert.equal((await mailbox.status('eva-1'))?.['main'], 'delivered');
    await server.close();
  },
  'a tool that returns a command has hooks, and what they add follows as a message': async () => {
    const server = await startModelServer(({ index }) =>
      index === 0 ? [{ name: 'move', input: { what: 'on' } }] : 'Done.',
    );
    const runner = new Runner();
    runner.on('PostToolUse', () => context('PostToolUse', 'behind the command'));
    const hooks = createHooks({ runner });
    const { ToolMessage } = await import('langchain');
    const move = tool(
      (_: { what: string }, { toolCallId }: { toolCallId: string }) =>
        new Command({
          update: { messages: [new ToolMessage({ content: 'moved', tool_call_id: toolCallId })] },
        }),
      { name: 'move', description: 'moves', schema },
    );
    const agent = createAgent({
      model: modelAt(server.url),
      tools: [move],
      middleware: [createMiddleware(hooks.middleware)],
    });
    await agent.invoke({ messages: [{ role: 'user', content: 'Move.' }] });
    assert.match(server.said(1), /moved[\s\S]*behind the command/);
    await server.close();
  },
  'a refused call does not run in middleware that brings its own tools': async () => {
    const server = await startModelServer(({ index }) =>
      index === 0 ? [{ name: 'measure', input: { what: 'cellar' } }] : 'Done.',
    );
    const runner = new Runner();
    runner.on('PreToolUse', () => deny('it is closed'));
    const hooks = createHooks({ runner });
    const ran: string[] = [];
    const measure = tool(({ what }: { what: string }) => `${ran.push(what)}`, {
      name: 'measure',
      description: 'measures',
      schema,
    });
    const own = createMiddleware({
      name: 'own-tools',
      wrapToolCall: (request, handler) =>
        handler(request.toolCall.name === 'measure' ? { ...request, tool: measure } : request),
    });
    const agent = createAgent({
      model: modelAt(server.url),
      tools: [measure],
      middleware: [createMiddleware(hooks.middleware), own],
    });
    await agent.invoke({ messages: [{ role: 'user', content: 'Measure.' }] });
    assert.deepEqual(ran, []);
    assert.match(server.said(1), /it is closed/);
    await server.close();
  },
  'a run that waits, has failed or was aborted has no ending': async () => {
    const server = await startModelServer(({ index }) =>
      index < 2 ? [{ name: 'measure', input: { what: 'bridge' } }] : index === 2 ? 400 : 'Done.',
    );
    const runner = new Runner();
    const hooks = createHooks({ runner });
    const gone = new AbortController();
    runner.on('PreToolUse', () => ask('is it safe?'));
    const run = () => (gone.signal.aborted ? '42 m' : new Promise<string>(() => gone.abort()));
    const agent = agentWith(server.url, [{ name: 'measure', run }], hooks, new MemorySaver());
    const prompt = { messages: [{ role: 'user' as const, content: 'Measure.' }] };
    const config = { configurable: { thread_id: '1' } };
    const approval = new Command({ resume: { approved: true } }) as never;
    await agent.invoke(prompt, config);
    assert.equal(hooks.ending, undefined, 'it waits');
    await assert.rejects(agent.invoke(approval, { ...config, signal: gone.signal }));
    assert.equal(hooks.ending, undefined, 'it was aborted');
    const second = { configurable: { thread_id: '2' } };
    await agent.invoke(prompt, second);
    await assert.rejects(agent.invoke(approval, second));
    assert.equal(hooks.ending, undefined, 'it has failed');
    await agent.invoke(null as never, second);
    assert.deepEqual(hooks.ending, { status: 'completed' });
    await server.close();
  },
};
